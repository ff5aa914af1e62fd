import { randomInt } from 'node:crypto'
import {
  type Clock,
  InvalidOptionError,
  type Invocation,
  notAnAnswer,
  refuseUnknownOptions,
  systemClock,
} from '@signalbox/core'
import type { TriggerEvent } from '../contract/index.ts'
import type { Challenge } from './challenge.ts'
import { quotedOption } from './quoted-option.ts'
import { sameAnswer } from './same-answer.ts'

/** Options of `oneTimeCode`. Only `send` is required. */
export interface OneTimeCodeOptions {
  /** Sends the code to the user, and may return a promise. It is not called for users who do not exist. */
  readonly send: (
    code: string,
    event: TriggerEvent<'CreateAuthChallenge_Authentication'>,
    invocation: Invocation,
  ) => unknown
  /** The number of digits, from 4 to 12. Default 6. */
  readonly digits?: number
  /** The milliseconds for which a code is valid. Default five minutes. */
  readonly ttl?: number
  /** The name of the challenge. Default `one-time-code`. */
  readonly name?: string
  /** The clock that measures the ttl. Default: the system clock. */
  readonly clock?: Pick<Clock, 'wall'>
  /** Returns a random whole number from 0 to `below - 1`. Default: a cryptographically secure random number. */
  readonly random?: (below: number) => number
}

const optionNames = ['send', 'digits', 'ttl', 'name', 'clock', 'random']

/**
 * Returns a challenge that sends the user a code. Each attempt gets a new code.
 *
 * @example
 * oneTimeCode({ send: (code, { request }) => mail(request.userAttributes.email, code), digits: 8 })
 * @throws InvalidOptionError immediately, for invalid options
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
    throw new InvalidOptionError('oneTimeCode(): send is a function that sends a code to a user.')
  }
  if (!Number.isInteger(digits) || digits < 4 || digits > 12) {
    throw new InvalidOptionError(
      `oneTimeCode(): digits is a whole number from 4 to 12, not ${quotedOption(digits)}.`,
    )
  }
  if (!Number.isFinite(ttl) || ttl <= 0) {
    throw new InvalidOptionError(
      `oneTimeCode(): ttl is a number of milliseconds above 0, not ${quotedOption(ttl)}.`,
    )
  }
  return notAnAnswer('a challenge', {
    name,
    async create(event, _context, invocation) {
      const code = String(random(10 ** digits)).padStart(digits, '0')
      const privateParameters = { answer: code, expires: String(clock.wall() + ttl) }
      if (event.request.userNotFound !== true) await send(code, event, invocation)
      return { publicParameters: { digits: String(digits) }, privateParameters }
    },
    verify({ answer, privateParameters }) {
      return sameAnswer(answer, privateParameters.answer) && clock.wall() < Number(privateParameters.expires)
    },
  })
}
