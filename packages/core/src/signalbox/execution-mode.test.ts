import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import * as t from 'io-ts'
import { type Family, type Plugin, type Request, type SignalboxHandler, signalbox } from '../index.ts'
import { manualClock } from '../testing/index.ts'

const family: Family = {
  name: 'anything',
  recognizes: event => event !== 'unknown',
  keys: [],
  correlationId: () => undefined,
  event: t.unknown,
  normalize() {},
}

type Request_ = Request & { earlyResponse?: unknown }

// The possible actions of hooks and handlers. After some actions, only middy itself can continue.
const deeds = {
  nothing: () => undefined,
  later: async () => undefined,
  answer: () => 'answer',
  'answer later': async () => 'answer later',
  'answer null': () => null,
  throw: () => {
    throw new Error('thrown')
  },
  'throw nothing': () => {
    throw undefined
  },
  reject: () => Promise.reject(new Error('rejected')),
  early: (request: Request_) => {
    request.earlyResponse = 'early'
  },
  'early nothing': (request: Request_) => {
    request.earlyResponse = undefined
  },
  'early and wait': async (request: Request_) => {
    request.earlyResponse = 'early'
  },
  respond: (request: Request_) => {
    request.response = 'response'
  },
  'respond later': (request: Request_) => {
    request.response = Promise.resolve('response later')
  },
  'respond and wait': async (request: Request_) => {
    request.response = Promise.resolve('response later')
  },
} as const
type Deed = keyof typeof deeds

interface Program {
  /** The after hooks of the plugin. */
  readonly own: readonly Deed[]
  readonly befores: readonly Deed[]
  readonly handler: Deed
  readonly afters: readonly Deed[]
  readonly onErrors: readonly Deed[]
}

const names = Object.keys(deeds) as Deed[]
// Most hooks do nothing. Otherwise, few programs would reach their end.
const deed = fc.oneof({ weight: 2, arbitrary: fc.constant<Deed>('nothing') }, fc.constantFrom(...names))
const hooks = fc.array(deed, { maxLength: 3 })
const programs: fc.Arbitrary<Program> = fc.record({
  own: hooks,
  befores: hooks,
  handler: deed,
  afters: hooks,
  onErrors: hooks,
})

/** Runs a program, and returns everything that happens, in order, and its result. */
async function run(program: Program, options: object, event: unknown): Promise<unknown> {
  const log: unknown[] = []
  const clock = manualClock()
  const hook = (place: string, name: Deed) => (request: Request_) => {
    log.push([place, name, request.response, request.error, 'earlyResponse' in request])
    return deeds[name](request)
  }
  const plugin: Plugin<unknown> = {
    family,
    middlewares: program.own.map((name, i) => ({ after: hook(`plugin's after ${i}`, name) })),
    handler: (_event, _context, { signal }) => {
      log.push(['handler', program.handler, signal.aborted, clock.waiting])
      return deeds[program.handler]({} as Request_)
    },
  }
  const handler = signalbox(plugin, { clock, ...options })
  for (const [i, name] of program.befores.entries()) handler.before(hook(`before ${i}`, name) as never)
  for (const [i, name] of program.afters.entries()) handler.after(hook(`after ${i}`, name) as never)
  for (const [i, name] of program.onErrors.entries()) handler.onError(hook(`onError ${i}`, name) as never)
  const end = await handler(event, { getRemainingTimeInMillis: () => 1000 }).then(
    value => ({ value }),
    error => ({ error }),
  )
  return { log, end, waiting: clock.waiting }
}

/** Returns a handler with the method of middy that replaces the base handler. */
function replaceable(plugin: Plugin): Replaceable {
  return signalbox(plugin) as Replaceable
}

type Replaceable = SignalboxHandler<unknown> & {
  handler(
    other: (event: unknown, context: unknown, options: { signal: AbortSignal }) => unknown,
  ): SignalboxHandler<unknown>
}

describe('a handler without middy options', () => {
  it('has the same results and the same order of hooks as middy’s standard execution mode', async () => {
    await fc.assert(
      fc.asyncProperty(programs, fc.constantFrom('known', 'unknown'), async (program, event) => {
        const straight = await run(program, {}, event)
        expect(straight).toEqual(await run(program, { afterHandler() {} }, event))
      }),
      { numRuns: 1000 },
    )
  })

  const plugin: Plugin<unknown> = { family, middlewares: [], handler: event => event }

  it('calls the replacement when the handler is replaced, as middy does', async () => {
    const replaced = replaceable(plugin)
    expect(replaced.handler((_event, _context, { signal }) => signal.aborted)).toBe(replaced)
    expect(await replaced('event')).toBe(false)
  })

  it('does not call a hook added by another hook until the next invocation, as middy does', async () => {
    const calls = async (options: object): Promise<readonly string[]> => {
      const log: string[] = []
      const handler = signalbox(plugin, options)
      let added = false
      handler.before(() => {
        if (!added) handler.before(() => void log.push('added'))
        added = true
      })
      handler.before(async () => void log.push('before'))
      for (const event of [1, 2]) log.push(`${await handler(event)}`)
      return log
    }
    expect(await calls({})).toEqual(['before', '1', 'before', 'added', '2'])
    expect(await calls({ afterHandler() {} })).toEqual(await calls({}))
  })

  it('gives each request an internal object of its own that inherits nothing, as middy does', async () => {
    const seen = async (options: object): Promise<readonly unknown[]> => {
      const found: unknown[] = []
      const handler = signalbox(plugin, options).before((request: Request) => {
        const { internal, ...rest } = request
        const inherited = ['constructor', 'toString', '__proto__'].filter(name => name in internal)
        found.push(Object.keys(request), rest, Object.entries(internal), inherited)
        internal.user = 'ann'
      })
      await handler('event')
      await handler(undefined)
      return found
    }
    expect(await seen({})).toEqual(await seen({ afterHandler() {} }))
    expect((await seen({})).slice(6)).toEqual([[], []])
  })

  it('throws for a null context, as middy does', async () => {
    await expect(signalbox(plugin)('event', null as never)).rejects.toBeInstanceOf(TypeError)
  })

  it('has the same results as middy when a hook sets the context to null', async () => {
    const failing = { ...plugin, handler: () => Promise.reject(new RangeError('mine')) }
    for (const later of [undefined, async () => undefined]) {
      const handler = (base: Plugin, options = {}) =>
        signalbox(base, options).use([
          { before: (request: Request) => void Object.assign(request, { context: null }) },
          ...(later ? [{ before: later, after: later }] : []),
        ])
      for (const options of [{}, { afterHandler() {} }]) {
        await expect(handler(failing, options)('event')).rejects.toThrow(new RangeError('mine'))
        expect(await handler(plugin, options)('event')).toBe(await signalbox(plugin)('event'))
      }
    }
  })
})
