import { describe, expect, it } from '@jest/globals'
import { InvalidOptionError, signalbox } from '../index.ts'
import { adder, greeter } from './testing/small-families.ts'

describe('signalbox()', () => {
  it.each([
    ['a call without a plugin', () => (signalbox as () => unknown)(), 'needs at least one plugin'],
    ['two plugins of one family', () => signalbox(greeter(), greeter()), 'two plugins for greeting'],
    [
      'an unknown option',
      () => signalbox(greeter(), { timeoutEarlyInMilis: 5 } as never),
      'Did you mean timeoutEarlyInMillis?',
    ],
    [
      'an option that resembles no known option',
      () => signalbox(greeter(), { zzz: 5 } as never),
      'signalbox() has no option "zzz". The options are reserve, clock,',
    ],
    [
      'text as a number of milliseconds',
      () => signalbox(greeter(), { reserve: '5' } as never),
      'signalbox(): reserve is "5", expected milliseconds, 0 or more',
    ],
    ['negative milliseconds', () => signalbox(greeter(), { reserve: -1 }), 'reserve is -1'],
    ['no number', () => signalbox(greeter(), { reserve: Number.NaN }), 'reserve is NaN'],
    [
      'a plugin after the options',
      () => (signalbox as (...args: unknown[]) => unknown)(greeter(), {}, adder()),
      'argument 2 is not a plugin',
    ],
    ['null as the second argument', () => signalbox(greeter(), null as never), 'argument 2 is not a plugin'],
    ['a string as a plugin', () => signalbox('greeter' as never), 'argument 1 is not a plugin'],
    [
      'a list of plugins',
      () => signalbox([greeter()] as never),
      'signalbox() takes no list: write signalbox(...plugins)',
    ],
    [
      'a list of something else',
      () => signalbox([{ name: 'route' }] as never),
      'signalbox() takes plugins, not a list of other things: write the plugin of the family around the routes',
    ],
    ['a handler as a plugin', () => signalbox(signalbox(greeter()) as never), 'argument 1 is not a plugin'],
    [
      'a middleware that was not called',
      () => signalbox(greeter()).use(function cors() {} as never),
      'each with before, after or onError, not a function: write use(cors(…))',
    ],
    [
      'undefined as a middleware',
      () => signalbox(greeter()).use([undefined] as never),
      'use() takes middlewares, each with before, after or onError, not nothing',
    ],
    [
      'a middleware whose hook is not a function',
      () => signalbox(greeter()).use({ before: 'x' } as never),
      'each with before, after or onError, not an object',
    ],
  ])('refuses %s at once', (_what, build, message) => {
    expect(build).toThrow(InvalidOptionError)
    expect(build).toThrow(message)
  })

  it.each([
    [
      'a call without a plugin',
      () => (signalbox as () => unknown)(),
      'signalbox() needs at least one plugin',
    ],
    [
      'a list of plugins',
      () => signalbox([greeter()] as never),
      'signalbox(): argument 1 is not a plugin, such as queue(…); options go last',
    ],
    [
      'a middleware that was not called',
      () => signalbox(greeter()).use(function cors() {} as never),
      'use() takes middlewares, each with before, after or onError, not a function',
    ],
  ])('refuses %s without a hint in production', (_what, build, message) => {
    const before = process.env.NODE_ENV
    process.env.NODE_ENV = 'production'
    try {
      expect(build).toThrow(new InvalidOptionError(message))
    } finally {
      process.env.NODE_ENV = before
    }
  })

  it('does not look for @middy/warmup in production', () => {
    const warmupMiddlewareBefore = () => undefined
    const before = process.env.NODE_ENV
    process.env.NODE_ENV = 'production'
    try {
      expect(() => signalbox(greeter()).before(warmupMiddlewareBefore)).not.toThrow()
    } finally {
      process.env.NODE_ENV = before
    }
  })
})
