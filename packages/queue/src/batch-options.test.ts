import { describe, expect, it } from '@jest/globals'
import { InvalidOptionError } from '@signalbox/core'
import * as t from 'io-ts'
import { eachMessage, type QueueOptions, queue } from './index.ts'

describe('the options of queue()', () => {
  const onMessage = () => undefined

  const invalid: readonly [options: object, message: string][] = [
    [{ onMessage, concurency: 5 }, 'queue() has no option "concurency". Did you mean concurrency?'],
    [{ onMessage, concurrency: 0 }, 'concurrency is 0, expected a whole number above 0, or Infinity'],
    [{ onMessage, concurrency: 1.5 }, 'concurrency is 1.5'],
    [{ onMessage, concurrency: Number.NaN }, 'concurrency is NaN'],
    [{ onMessage, concurrency: '5' }, 'concurrency is "5"'],
    [{ onMessage, concurrency: null }, 'concurrency is null'],
    [{ onMessage, concurrency: [5] }, 'concurrency is an object'],
    [{ onMessage, reserve: -1 }, 'reserve is -1, expected milliseconds, 0 or more'],
    [{ onMessage, reserve: Number.POSITIVE_INFINITY }, 'reserve is Infinity'],
    [{ onMessage, verify: 'sha1' }, 'verify is "sha1", expected \'md5\''],
    [{ onMessage, throwWhenAllFail: 'no' }, 'throwWhenAllFail is "no", expected true or false'],
    [{ onMessage, clock: Date }, 'clock is a function, expected a Clock such as systemClock'],
    [{ onMessage, clock: null }, 'clock is null'],
    [{}, 'queue() needs either onMessage or onBatch'],
    [{ onMessage, onBatch: onMessage }, 'queue() needs either onMessage or onBatch'],
    [{ onMessage: 'ship' }, 'onMessage is "ship", expected a function'],
    [{ onMessage: null }, 'onMessage is null, expected a function'],
    [{ onBatch: Promise.resolve() }, 'onBatch is an object, expected a function'],
    [{ onMessage, onFailure: 'log' }, 'onFailure is "log", expected a function'],
    [{ onMessage, onDiscard: Symbol('log') }, 'onDiscard is a symbol, expected a function'],
    [{ onMessage, body: null }, 'body is null'],
    [{ onMessage, body: {} }, 'body is an object, expected a codec such as fromJson(Order)'],
    [
      { onMessage, body: t.type({ id: t.string }, 'Order') },
      'a codec of JSON values (Order), but the body of a message',
    ],
    [{ onMessage, log: 'console' }, 'log is "console", expected a function'],
  ]
  it.each(invalid.map(([options, message]) => [message, options]))(
    'are refused with the error `%s`',
    (message, options) => {
      expect(() => queue(options as QueueOptions<string>)).toThrow(InvalidOptionError)
      expect(() => queue(options as QueueOptions<string>)).toThrow(message)
    },
  )

  it.each([undefined, null])('are refused when they are %p', options => {
    expect(() => queue(options as never)).toThrow('queue() takes an object of body, onMessage, onBatch,')
  })

  it('are refused when they are a function, and the error says what to write instead', () => {
    expect(() => queue(onMessage as never)).toThrow('not a function: write queue({ onMessage: … })')
  })

  it('are also checked by eachMessage()', () => {
    expect(() => eachMessage(t.string, onMessage, { concurrencyy: 1 } as never)).toThrow(
      'Did you mean concurrency?',
    )
    expect(() => eachMessage(t.string, onMessage, { concurrency: -1 })).toThrow(
      'eachMessage(): concurrency is -1',
    )
    expect(() => eachMessage(t.string, 'ship' as never)).toThrow('onMessage is "ship", expected a function')
    expect(() => eachMessage(t.string, undefined as never)).toThrow('onMessage is missing')
    expect(() => eachMessage(onMessage as never, undefined as never)).toThrow(
      'body is a function, expected a codec',
    )
  })

  it('can contain an infinite concurrency and a reserve of 0', () => {
    expect(() =>
      queue({ onMessage, concurrency: Number.POSITIVE_INFINITY, reserve: 0, verify: 'md5' }),
    ).not.toThrow()
  })
})
