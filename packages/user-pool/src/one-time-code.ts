import { randomInt } from 'node:crypto'
import {
  type Clock,
  InvalidOptionError,
  type Invocation,
  notAnAnswer,
  refuseUnknownOptions,
  systemClock,
} from '@signalbox/core'
import type { Challenge } from './challenge.ts'
import type { TriggerEvent } from './contract/index.ts'
import { sameAnswer } from './same-answer.ts'
import { shown } from './shown.ts'

export interface OneTimeCodeOptions {
  /** Gets the code to the user. Not called for users who don't exist. */
  readonly send: (
    code: string,
    event: TriggerEvent<'CreateAuthChallenge_Authentication'>,
    invocation: Invocation,
  ) => unknown
  /** How many digits, from 4 to 12. Default 6. */
  readonly digits?: number
  /** Milliseconds for which a code is good. Default five minutes. */
  readonly ttl?: number
  /** The challenge's name. Default `one-time-code`. */
  readonly name?: string
  /** Default: the machine's. */
  readonly clock?: Pick<Clock, 'now'>
  /** A whole number from 0 up to, not including, `below`. Default: cryptographic randomness. */
  readonly random?: (below: number) => number
}

const optionNames = ['send', 'digits', 'ttl', 'name', 'clock', 'random']

/**
 * A challenge that sends the user a code to type in. Every attempt has a code of its own.
 *
 * @throws InvalidOptionError at once, for options that make no sense
 */
export function oneTimeCode(options: OneTimeCodeOptions): Challenge {
  refuseUnknownOptions('oneTimeCode()', options, optionNames)
  const {
    send,
    digits = 6,
    ttl = 300_000,
    name = 'one-time-code',
    clock = systemClock,
    random = below => randomInt(below),
  } = options
  if (typeof send !== 'function') {
    throw new InvalidOptionError('oneTimeCode(): send is a function that gets a code to a user.')
  }
  if (!Number.isInteger(digits) || digits < 4 || digits > 12) {
    throw new InvalidOptionError(
      `oneTimeCode(): digits is a whole number from 4 to 12, not ${shown(digits)}.`,
    )
  }
  if (!Number.isFinite(ttl) || ttl <= 0) {
    throw new InvalidOptionError(`oneTimeCode(): ttl is a number of milliseconds above 0, not ${shown(ttl)}.`)
  }
  return notAnAnswer('a challenge', {
    name,
    async create(event, _context, invocation) {
      const code = String(random(10 ** digits)).padStart(digits, '0')
      const privateParameters = { answer: code, expires: String(clock.now() + ttl) }
      if (event.request.userNotFound !== true) await send(code, event, invocation)
      return { publicParameters: { digits: String(digits) }, privateParameters }
    },
    verify({ answer, privateParameters }) {
      return sameAnswer(answer, privateParameters.answer) && clock.now() < Number(privateParameters.expires)
    },
  })
}
