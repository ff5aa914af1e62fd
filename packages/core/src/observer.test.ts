import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import {
  callsEnd,
  endObserved,
  type InvocationContext,
  type Observer,
  observe,
  observerOf,
  type Plugin,
  type Request,
  type SignalboxOptions,
  signalbox,
} from './index.ts'

const greeter: Plugin<string> = {
  family: {
    ...{ name: 'greeting', recognizes: () => true, keys: [], correlationId: () => undefined },
    ...{ event: t.unknown, normalize() {} },
  },
  middlewares: [],
  handler({ name }: { readonly name: string }) {
    if (name === 'eve') throw new Error('not eve')
    return Promise.resolve(`Hello ${name}`)
  },
}

/** Returns a handler with a middleware that observes, and what its observer was told. */
function observed(options: SignalboxOptions) {
  const seen: unknown[] = []
  const observer: Observer = {
    handle(run) {
      seen.push('handle')
      return run()
    },
    message: (_record, run) => run(),
    end: ({ response, error }) => void seen.push(['end', response, (error as Error | undefined)?.message]),
  }
  const handler = signalbox(greeter, options)
    .use({
      before(request: Request) {
        seen.push(callsEnd(request))
        observe(request.context, observer)
      },
      after: () => void seen.push('after'),
    })
    .use({ before: ({ event }) => ((event as { name: string }).name === 'early' ? 'Early' : undefined) })
  return { handler, seen }
}

describe.each([
  ['of its own', {}],
  ['of middy', { requestStart() {} }],
] as const)('an observer in the execution mode %s', (_, options) => {
  it('stands around the handler, and learns the end', async () => {
    const { handler, seen } = observed(options)
    expect(await handler({ name: 'ann' })).toBe('Hello ann')
    expect(seen).toEqual([true, 'handle', 'after', ['end', 'Hello ann', undefined]])
  })

  it('learns the end of an invocation that a middleware answers, and of one that fails', async () => {
    const early = observed(options)
    expect(await early.handler({ name: 'early' })).toBe('Early')
    expect(early.seen).toEqual([true, ['end', 'Early', undefined]])
    const failed = observed(options)
    await expect(failed.handler({ name: 'eve' })).rejects.toThrow('not eve')
    expect(failed.seen).toEqual([true, 'handle', ['end', undefined, 'not eve']])
  })
})

it('a context without an observer, a frozen one and none have no observer', () => {
  const observer = {} as Observer
  const stubborn = new Proxy(
    {},
    {
      set: () => {
        throw new Error('no')
      },
    },
  )
  const contexts: InvocationContext[] = [{}, Object.freeze({}), stubborn]
  expect(contexts.map(each => observe(each, observer))).toEqual([true, false, false])
  expect([...contexts, undefined].map(each => observerOf(each))).toEqual([
    observer,
    ...[undefined, undefined, undefined],
  ])
  expect(callsEnd({})).toBe(false)
})

it('several observers stand around each other, until the invocation ends', async () => {
  const seen: string[] = []
  const context: InvocationContext = {}
  const observer = (name: string): Observer => ({
    handle(run) {
      seen.push(name)
      return run()
    },
    message(_record, run) {
      seen.push(`${name} message`)
      return run()
    },
    end: () => void seen.push(`${name} ends`),
  })
  for (const name of ['outer', 'inner']) observe(context, observer(name))
  expect(observerOf(context)!.handle(() => 7)).toBe(7)
  expect(await observerOf(context)!.message({}, async () => 'handled')).toBe('handled')
  const request = { context } as Request
  endObserved(request)
  endObserved(request)
  expect(seen).toEqual([
    ...['outer', 'inner', 'outer message', 'inner message'],
    ...['inner ends', 'outer ends'],
  ])
})
