import { describe, expect, it } from '@jest/globals'
import * as t from 'io-ts'
import {
  durableExecution,
  InvalidOptionError,
  type InvocationContext,
  type Middleware,
  type Observer,
  observe,
  observerOf,
  type Plugin,
  type Request,
  signalbox,
} from '../index.ts'
import {
  callback,
  durable,
  durableContext,
  durableOperations,
  map,
  NotDurableError,
  oncePerExecution,
  step,
  wait,
} from './index.ts'
import { executionOf } from './invocations-suite.ts'

type Handler = Plugin['handler']

const pluginOf = (handler: Handler): Plugin => ({
  family: {
    name: 'anything',
    recognizes: () => true,
    keys: [],
    correlationId: () => undefined,
    event: t.unknown,
    normalize() {},
  },
  middlewares: [],
  handler,
})

/** An execution of a durable function with a plugin of this handler. */
function executionWith(handler: Handler, middlewares: readonly Middleware[] = [], event: unknown = {}) {
  const plain = signalbox(pluginOf(handler))
  for (const middleware of middlewares) plain.use(middleware)
  return executionOf(durable(plain), event)
}

describe('a durable function', () => {
  it('continues after its last step in each invocation, and its answer is that of the handler', async () => {
    const runs: string[] = []
    const { invoke, end, names } = executionWith(async () => {
      runs.push('handler')
      const first = await step('first', ({ attempt }) => {
        runs.push(`first ${attempt}`)
        return 1
      })
      await wait('pause', { hours: 1 })
      const answer = await callback('ask', id => void runs.push(id))
      const batch = await map('each', ['a', 'b'], (item, index) => step('item', () => `${item}${index}`))
      return { first, answer, items: batch.getResults() }
    })
    expect(await invoke()).toEqual({ Status: 'PENDING' })
    end()
    expect(await invoke()).toEqual({ Status: 'PENDING' })
    end('yes')
    const { Status, Result } = (await invoke()) as { Status: string; Result: string }
    expect(Status).toBe('SUCCEEDED')
    expect(JSON.parse(Result)).toEqual({ first: 1, answer: 'yes', items: ['a0', 'b1'] })
    expect(runs).toEqual(['handler', 'first 1', 'handler', expect.stringMatching(/^callback /), 'handler'])
    expect(names().filter(name => name !== undefined)).toEqual([
      'first',
      'pause',
      'ask',
      'each',
      'map-item-0',
      'map-item-1',
      'item',
      'item',
    ])
  })

  it('fails its execution with the error of the handler', async () => {
    const { invoke } = executionWith(async () => {
      throw new RangeError('too many')
    })
    expect(await invoke()).toMatchObject({
      Status: 'FAILED',
      Error: { ErrorType: 'RangeError', ErrorMessage: 'too many' },
    })
  })

  it('knows its execution, and whether it runs again only to reach its place', async () => {
    const seen: unknown[] = []
    const { invoke, end } = executionWith(async () => {
      const execution = durableExecution()!
      seen.push(execution.arn, execution.isReplaying)
      await wait('pause', { hours: 1 })
      seen.push(execution.isReplaying)
      expect(durableContext().executionContext.durableExecutionArn).toBe('arn:execution')
    })
    await invoke()
    end()
    await invoke()
    expect(seen).toEqual(['arn:execution', false, 'arn:execution', true, false])
  })

  it('has no deadline, because another invocation goes on, and gives the SDK the id of the request', async () => {
    const seen: unknown[] = []
    const { invoke } = executionWith((_event, context, { signal }) => {
      seen.push(context.functionName, context.awsRequestId, context.getRemainingTimeInMillis, signal.aborted)
    })
    await invoke({ functionName: 'orders', requestId: 'r1', getRemainingTimeInMillis: () => 0 })
    await invoke({ requestId: 'r2', awsRequestId: 'a2' })
    expect(seen).toEqual(['orders', 'r1', undefined, false, undefined, 'a2', undefined, false])
    const waiting = executionWith(async () => wait('pause', { hours: 1 }))
    expect(await waiting.invoke({})).toEqual({ Status: 'PENDING' })
  })

  it('gives each message a context of its own, and does not handle a message again that has ended', async () => {
    const runs: string[] = []
    const records = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
    const handler: Handler = async ({ records }: { records: { id: string }[] }, context) => {
      const observer = observerOf(context)!
      const handled = records.toReversed().map(record =>
        observer
          .message(record, async () => {
            runs.push(record.id)
            if (record.id === 'b') throw new RangeError('b is broken')
            if (record.id === 'a') await wait('pause', { hours: 1 })
            return (await step('get', () => record.id)) === 'c' ? 'discarded' : 'handled'
          })
          .catch((error: Error) => `${error.name}: ${error.message}`),
      )
      const alone = observer.message({}, async () => 'handled')
      return Promise.all([...handled, alone])
    }
    const { invoke, end, names } = executionWith(handler, [], { records })
    expect(await invoke()).toEqual({ Status: 'PENDING' })
    expect(runs.toSorted()).toEqual(['a', 'b', 'c'])
    end()
    const { Result } = (await invoke()) as { Result: string }
    expect(JSON.parse(Result)).toEqual(['discarded', 'ChildContextError: b is broken', 'handled', 'handled'])
    expect(runs.toSorted()).toEqual(['a', 'a', 'b', 'c'])
    expect(names()).toEqual(expect.arrayContaining(['message 1', 'message 2', 'message 3', 'message', 'get']))
  })

  it('throws the error of a message itself in the invocation that runs it', async () => {
    const { invoke } = executionWith(
      async ({ records: [record] }: { records: [object] }, context) => {
        const failing = observerOf(context)!.message(record, async () => {
          throw new RangeError('broken')
        })
        await expect(failing).rejects.toBeInstanceOf(RangeError)
      },
      [],
      { records: [{}] },
    )
    expect(await invoke()).toMatchObject({ Status: 'SUCCEEDED' })
  })
})

describe('middlewares of a durable function', () => {
  const watched = () => {
    const calls: string[] = []
    const watching: Middleware = {
      name: 'watching',
      before: () => void calls.push('before'),
      after: () => void calls.push('after'),
      onError: () => void calls.push('onError'),
    }
    return { calls, watching }
  }
  const pausing: Handler = async () => {
    await wait('pause', { hours: 1 })
    return 'done'
  }

  it('run before the handler in each invocation, and after it in the last', async () => {
    const { calls, watching } = watched()
    const { invoke, end } = executionWith(pausing, [watching])
    await invoke()
    end()
    await invoke()
    expect(calls).toEqual(['before', 'before', 'after'])
  })

  it('run once in an execution with oncePerExecution(), and each time elsewhere', async () => {
    const { calls, watching } = watched()
    const { invoke, end, names } = executionWith(pausing, [oncePerExecution(watching)])
    await invoke()
    end()
    await invoke()
    expect(calls).toEqual(['before', 'after'])
    expect(names()).toEqual(['watching before', 'pause'])
    const plain = signalbox(pluginOf(() => 'done')).use(oncePerExecution(watching))
    await plain({})
    await plain({})
    expect(calls.slice(2)).toEqual(['before', 'after', 'before', 'after'])
  })

  it.each([
    ['returns', () => 'early'],
    ['sets', (request: Request) => void Object.assign(request, { earlyResponse: 'early' })],
  ])('keep an early response that a hook %s', async (_how, before) => {
    const { invoke, names } = executionWith(pausing, [oncePerExecution({ before: before as never })])
    expect(await invoke()).toEqual({ Status: 'SUCCEEDED', Result: '"early"' })
    expect(names()).toEqual(['middleware before'])
  })

  it('learn that an invocation has ended without an answer', async () => {
    const calls: string[] = []
    const following = (name: string, suspend: boolean): Middleware => ({
      before({ context }: Request) {
        const observer: Observer = {
          handle: run => run(),
          message: (_record, run) => run(),
          end: () => void calls.push(`${name} end`),
          ...(suspend && { suspend: () => void calls.push(`${name} suspend`) }),
        }
        observe(context, observer)
      },
    })
    const { invoke, end } = executionWith(pausing, [following('a', true), following('b', false)])
    await invoke()
    expect(calls).toEqual(['a suspend'])
    end()
    await invoke()
    expect(calls.slice(1)).toEqual(['b end', 'a end'])
  })
})

describe('what is refused', () => {
  it.each(Object.entries({ step, wait, callback, map, durableContext }))(
    '%s() outside of a durable function',
    (name, operation) => {
      const call = operation as (...args: unknown[]) => unknown
      expect(() => call('name', [], () => undefined)).toThrow(NotDurableError)
      expect(() => call('name', [], () => undefined)).toThrow(`${name}() works only in a durable function`)
      expect(durableExecution()).toBeUndefined()
    },
  )

  it('durable() without a handler, and oncePerExecution() without a before hook', () => {
    expect(() => durable({} as never)).toThrow(InvalidOptionError)
    for (const wrong of [undefined, {}, { after() {} }])
      expect(() => oncePerExecution(wrong as never)).toThrow('a middleware with a before hook')
  })

  it('an event that is not an invocation of an execution', async () => {
    await expect(durable(signalbox(pluginOf(() => 1)))({})).rejects.toThrow(
      'Check your resource configurations',
    )
  })
})

it('durableOperations() names its hook, and removes the deadline', () => {
  const { name, before } = durableOperations()
  const context: InvocationContext = { getRemainingTimeInMillis: () => 1 }
  before({ event: {}, context } as Request)
  expect([name, before.name, context.getRemainingTimeInMillis]).toEqual([
    'durable-operations',
    'durable-operations',
    undefined,
  ])
})
