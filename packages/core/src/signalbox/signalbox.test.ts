import { describe, expect, it } from '@jest/globals'
import type { Middleware, Plugin, Request } from '../index.ts'
import {
  InvalidEventError,
  InvalidOptionError,
  receiver,
  signalbox,
  UnknownEventError,
  validator,
} from '../index.ts'
import { rejection } from './testing/rejection.ts'
import { adder, exclaim, greeter, greetings, sums } from './testing/small-families.ts'

describe('signalbox()', () => {
  it('normalizes and validates the event, calls the handler and serializes the result', async () => {
    expect(await signalbox(greeter())({ greet: 7 })).toBe('Hello 7!')
  })

  it('refuses a plugin that has a middleware without hooks, with the error of middy', () => {
    const plugin = { ...greeter(), middlewares: [{ name: 'empty' }] }
    expect(() => signalbox(plugin)).toThrow('at least one key among "before", "after", "onError"')
  })

  it('calls the plugin that recognizes the event', async () => {
    const handler = signalbox(greeter(), adder())
    expect(await handler({ greet: 'you' })).toBe('Hello you!')
    expect(await handler({ add: [1, 2] })).toBe(3)
  })

  it('lets plugins adapt or refuse the middlewares that users add', async () => {
    const loud: Plugin<string> = {
      ...greeter(),
      adapt: middleware => {
        if (middleware.name === 'silent') throw new InvalidOptionError('silent() does nothing here')
        return {
          ...middleware,
          before: (request: Request<{ greet: string }>) => {
            if (greetings.recognizes(request.event)) request.event.greet = request.event.greet.toUpperCase()
          },
        }
      },
    }
    const after: Middleware = {
      after: (request: Request<unknown, string>) => {
        request.response = `${request.response}?`
      },
    }
    const handler = signalbox(loud, adder()).use(after)
    expect(await handler({ greet: 'you' })).toBe('Hello YOU?!')
    expect(await handler({ add: [1, 2] })).toBe('3?')
    expect(() => signalbox(loud).use({ ...after, name: 'silent' })).toThrow('silent() does nothing here')
  })

  it('refuses @middy/warmup, whose events no plugin recognizes', () => {
    const warmupMiddlewareBefore = () => undefined
    for (const add of [
      () => signalbox(greeter()).use({ before: warmupMiddlewareBefore }),
      () => signalbox(greeter()).before(warmupMiddlewareBefore),
    ]) {
      expect(add).toThrow(InvalidOptionError)
      expect(add).toThrow('@middy/warmup does not see its events here')
    }
  })

  it('runs middy middlewares on normalized events, and serializes the response after they change it', async () => {
    const seen: unknown[] = []
    const handler = signalbox(greeter(), adder()).use({
      before: (request: Request) => void seen.push(structuredClone(request.event)),
      after: (request: Request<unknown, string>) => {
        request.response = `${request.response} and all`
      },
    })
    expect(await handler({ greet: 7 })).toBe('Hello 7 and all!')
    expect(seen).toEqual([{ greet: '7' }])
  })

  it.each(['before', 'after', 'onError'] as const)(
    'serializes the early response that a middleware returns in %s',
    async when => {
      const broken = greeter(() => {
        if (when === 'onError') throw new Error('broken')
        return 'late'
      })
      const set = (request: Request & { earlyResponse?: unknown }) => {
        request.earlyResponse = 'early'
      }
      for (const answer of [
        () => 'early',
        async () => 'early',
        set,
        async (request: Request) => set(request),
      ]) {
        expect(await signalbox(broken)[when](answer)({ greet: 'you' })).toBe('early!')
        expect(await signalbox(broken, adder()).use({ [when]: answer })({ greet: 'you' })).toBe('early!')
        expect(await signalbox(broken).use([{ [when]: answer }])({ greet: 'you' })).toBe('early!')
      }
    },
  )

  it('serializes an early response that is undefined', async () => {
    const handler = signalbox(greeter()).before((request: Request & { earlyResponse?: unknown }) => {
      request.earlyResponse = undefined
    })
    expect(await handler({ greet: 'you' })).toBe('undefined!')
  })

  it('checks an early response to an error with the onError hooks of the plugin', async () => {
    const plugin = greeter(() => {
      throw new Error('broken')
    })
    const seen: unknown[] = []
    const checks: Middleware = {
      after: () => void seen.push('after'),
      onError: (request: Request) => {
        seen.push(request.response)
        if (request.response !== 'good') request.response = undefined
      },
    }
    const handler = (early: string) =>
      signalbox({ ...plugin, middlewares: [checks] }).onError(() => early as never)
    expect(await handler('good')({ greet: 'you' })).toBe('good')
    // Without a response, the error stays.
    await expect(handler('bad')({ greet: 'you' })).rejects.toThrow('broken')
    expect(seen).toEqual(['good', 'bad'])
  })

  it('waits for asynchronous hooks of the plugin when it serializes an early response', async () => {
    const slow: Middleware = {
      after: async (request: Request<unknown, string>) => {
        await null
        request.response = `${request.response}?`
      },
    }
    const plugin = { ...greeter(), middlewares: [exclaim, slow, { before: () => undefined }] }
    expect(await signalbox(plugin).before(() => 'early')({ greet: 'you' })).toBe('early?!')
  })

  it('rejects an invalid event with an error that contains the problems and the validator’s error', async () => {
    const error = (await rejection(signalbox(greeter())({ greet: null }))) as InvalidEventError
    expect(error).toBeInstanceOf(InvalidEventError)
    expect(error.code).toBe('INVALID_EVENT')
    expect(error.family).toBe('greeting')
    expect(error.problems.map(problem => problem.pointer)).toEqual(['/greet'])
    expect(error.message).toContain('/greet')
    expect(error.cause).toMatchObject({ message: 'Event object failed validation' })
  })

  it('rejects with the same value that the user’s code throws, even when that is undefined', async () => {
    for (const thrown of [new RangeError('mine'), 'text', undefined, null]) {
      const sync = signalbox(
        greeter(() => {
          throw thrown
        }),
      )
      const async = signalbox(greeter(() => Promise.reject(thrown)))
      expect(await rejection(sync({ greet: 'you' }))).toBe(thrown)
      expect(await rejection(async({ greet: 'you' }))).toBe(thrown)
    }
  })

  it('calls only the onError hooks of the plugin that recognizes the event', async () => {
    const rescue = (plugin: Plugin<string>, text: string): Plugin<string> => ({
      ...plugin,
      middlewares: [
        ...plugin.middlewares,
        {
          onError: (request: Request) => {
            request.response = text
          },
        },
      ],
    })
    const broken = rescue(
      greeter(() => {
        throw new Error('broken')
      }),
      'rescued',
    )
    const handler = signalbox(broken, { ...adder(), middlewares: [{ onError: () => 'not mine' }] })
    expect(await handler({ greet: 'you' })).toBe('rescued')
    expect(await rejection(handler({ nothing: true }))).toBeInstanceOf(UnknownEventError)
  })

  it('calls the onError hook of a single plugin only for events that the plugin recognizes', async () => {
    const failed: unknown[] = []
    const plugin = greeter(() => {
      throw new Error('broken')
    })
    const onError = ({ error }: Request) => void failed.push((error as Error).message)
    const handler = signalbox({ ...plugin, middlewares: [...plugin.middlewares, { onError }] })
    await expect(handler({ greet: 'you' })).rejects.toThrow('broken')
    await expect(handler({ nothing: true })).rejects.toBeInstanceOf(UnknownEventError)
    expect(failed).toEqual(['broken'])
  })

  it('rejects an event that no plugin recognizes, even if an onError hook sets a response', async () => {
    const page = { statusCode: 500 }
    const hooks = [
      (request: Request) => {
        request.response = page
      },
      (request: Request & { earlyResponse?: unknown }) => {
        request.earlyResponse = page
      },
      () => page as never,
    ]
    for (const hook of hooks)
      for (const handler of [signalbox(greeter()), signalbox(greeter(), adder())])
        expect(await rejection(handler.onError(hook)({ nothing: true }))).toBeInstanceOf(UnknownEventError)
  })

  it('calls the requestEnd option when the response is ready', async () => {
    const ended: unknown[] = []
    const handler = signalbox(greeter(), { requestEnd: request => void ended.push(request.response) })
    await handler({ greet: 'you' })
    expect(ended).toEqual(['Hello you!'])
  })

  it('keeps the names of hooks for middy to report', async () => {
    const names: string[] = []
    const handler = signalbox(greeter(), { beforeMiddleware: name => void names.push(name) })
    await handler({ greet: 'you' })
    expect(names).toEqual(['signalbox-recognize', 'greeting-normalizer', 'greeting-validator', 'exclaim'])
  })

  it('returns a middy handler with the methods before, after and onError', async () => {
    const order: string[] = []
    const handler = signalbox(greeter())
      .before(() => void order.push('before'))
      .after(() => void order.push('after'))
      .onError(() => void order.push('error'))
    await handler({ greet: 'you' })
    expect(order).toEqual(['before', 'after'])
  })
})

describe('signalbox with an event that no plugin recognizes', () => {
  const handler = signalbox(greeter())

  const many = Object.fromEntries(Array.from('abcdefghi', letter => [letter, 1]))
  it.each<[unknown, string, string]>([
    ['{"greet":"you"}', 'The event is a string, expected the object that JSON.parse makes of it.', ''],
    [null, 'The event is null, expected an object.', ''],
    [[1], 'The event is a list, expected an object.', ''],
    [7, 'The event is a number, expected an object.', ''],
    [{}, 'No plugin of this handler recognizes the event.', ' It has no fields.'],
    [
      many,
      'No plugin of this handler recognizes the event.',
      ' The event has the fields a, b, c, d, e, f, g, h. Add the plugin of its family, or see which that is with: signalbox check',
    ],
  ])('refuses the event %j with a readable error', async (event, what, advice) => {
    const error = (await rejection(handler(event))) as UnknownEventError
    expect(error).toBeInstanceOf(UnknownEventError)
    expect(error.code).toBe('UNKNOWN_EVENT')
    expect(error.message).toBe(`${what} This handler serves greeting.${advice}`)
  })

  it('names every event family that the handler serves', async () => {
    const error = (await rejection(signalbox(greeter(), adder())({ Records: [] }))) as Error
    expect(error.message).toContain('This handler serves greeting, sum. The event has the fields Records. ')
  })

  it('names the event family that the event resembles', async () => {
    const strict = { ...sums, keys: ['add', 'carry'], recognizes: () => false }
    const error = (await rejection(signalbox({ ...adder(), family: strict })({ add: 7, carry: 1 }))) as Error
    expect(error.message).toContain(
      'It looks most like a sum event, since it has add, carry, but the field that identifies one is missing or different',
    )
    const exact = { ...strict, identifiedBy: 'sum' }
    const better = (await rejection(signalbox({ ...adder(), family: exact })({ add: 7, carry: 1 }))) as Error
    expect(better.message).toContain('but sum is missing or different')
  })
})

it('signalbox() warns once when an event has the field names of a cloud provider', async () => {
  const hint = (event: unknown) =>
    (event as { foreign?: true }).foreign ? 'The event is foreign: translate it.' : undefined
  const warnings: unknown[] = []
  const { warn } = console
  console.warn = (text: unknown) => warnings.push(text)
  try {
    const family = { ...greetings, hint }
    const withHint = () => ({ ...greeter(), family, middlewares: [receiver(family, validator(family))] })
    for (const handler of [signalbox(withHint()), signalbox(withHint(), adder())]) {
      await handler({ greet: 'Ada', foreign: true })
      await handler({ greet: 'Ada', foreign: true })
    }
    expect(warnings).toEqual(['The event is foreign: translate it.', 'The event is foreign: translate it.'])
    await signalbox(withHint())({ greet: 'Ada' })
    expect(warnings).toHaveLength(2)
  } finally {
    console.warn = warn
  }
})
