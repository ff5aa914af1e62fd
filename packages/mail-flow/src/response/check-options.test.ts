import { expect, it } from '@jest/globals'
import { memoryStore, systemClock } from '@signalbox/core'
import { decideMail } from '../index.ts'
import { mailFlow } from '../mail-flow.ts'
import { once } from './once.ts'

const invalid: readonly [options: object, message: string][] = [
  [{ mod: 'sync' }, 'has no option "mod". Did you mean mode?'],
  [{ mode: 'later' }, ': mode is "later", expected sync or async'],
  [{ overflow: 'drop' }, ': overflow is "drop", expected refuse or fallback'],
  [{ reserve: -1 }, ': reserve is -1, expected milliseconds'],
  [{ reserve: Number.NaN }, ': reserve is NaN, expected milliseconds'],
  [{ reserve: '500' }, ': reserve is "500", expected milliseconds'],
  [{ reserve: 15_000 }, ': reserve is 15000, expected milliseconds below the limit of 15000'],
  [{ onTimeout: 'DROP' }, ': onTimeout is "DROP", expected a function'],
  [{ onWarnings: true }, ': onWarnings is a boolean, expected a function'],
  [{ fetchMessage: null }, ': fetchMessage is null, expected a function'],
  [{ replaceMessage: 'it' }, ': replaceMessage is "it", expected a function'],
  [{ parseMessage: {} }, ': parseMessage is an object, expected a function'],
  [{ once: { store: memoryStore() } }, ': once is an object, expected once({ store })'],
  [{ once: null }, ': once is null, expected once({ store })'],
  [{ clock: Date }, ': clock is a function, expected a clock such as systemClock'],
]
it.each(invalid.map(([options, message]) => [message.replace(': ', ''), message, options] as const))(
  'mailFlow() and decideMail() refuse invalid options with the error "%s"',
  (_, message, options) => {
    for (const take of [mailFlow, decideMail])
      expect(() => take(() => {}, options as never)).toThrow(
        expect.objectContaining({
          name: 'InvalidOptionError',
          message: expect.stringContaining(`${take.name}()${message.startsWith(':') ? '' : ' '}${message}`),
        }),
      )
  },
)

it.each([
  ['no options', {}],
  ['a reserve of 20 seconds in asynchronous mode', { mode: 'async', reserve: 20_000 }],
  ['a mode of undefined and the longest reserve', { mode: undefined, overflow: 'fallback', reserve: 14_999 }],
  [
    'once, a clock and onWarnings',
    { once: once({ store: memoryStore() }), clock: systemClock, onWarnings: () => {} },
  ],
])('mailFlow() can be called with %s', (_, options) => {
  expect(() => mailFlow(() => {}, options as never)).not.toThrow()
})
