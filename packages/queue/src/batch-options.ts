import {
  type Clock,
  InvalidOptionError,
  inDevelopment,
  refuseUnknownOptions,
  systemClock,
} from '@signalbox/core'
import { InvalidMessageError } from './errors.ts'
import type { Message } from './message/message.ts'
import type { Verification } from './message/read-message.ts'

/** The options for handling a batch. */
export interface BatchOptions {
  /** The most messages, or FIFO groups, that are handled at the same time. Default 10; may be `Infinity`. */
  readonly concurrency?: number
  /**
   * Milliseconds before the end of the invocation at which no further message starts and the signals of running
   * messages abort. Messages that still run when half of it is left are reported as failed. Default 250.
   */
  readonly reserve?: number
  /** `md5` compares `md5OfBody` with the body. Off by default, because many test events have a wrong digest. */
  readonly verify?: Verification
  /**
   * Whether the invocation fails when every message failed, instead of listing all messages. Default false: the
   * platform then counts a successful invocation, and retries the messages one by one.
   */
  readonly throwWhenAllFail?: boolean
  /**
   * Told of every message that is reported as failed. The answer waits for it while there is time, other messages
   * do not; what it throws changes nothing. The body is the raw one if it could not be decoded. Default: a warning on
   * the console, in development only.
   */
  readonly onFailure?: (message: Message<unknown>, reason: unknown) => unknown
  /** Called for every message that `discard` gave up, like `onFailure`. */
  readonly onDiscard?: (message: Message<unknown>, reason: unknown) => unknown
  /** The clock for deadlines. Default: the system clock. */
  readonly clock?: Clock
}

export const batchOptionNames = [
  'concurrency',
  'reserve',
  'verify',
  'throwWhenAllFail',
  'onFailure',
  'onDiscard',
  'clock',
] as const satisfies readonly (keyof BatchOptions)[]

/**
 * The options, but that in development nobody has to guess why a message failed.
 * @throws InvalidOptionError for what nobody knows, and for what cannot be meant
 */
export function checkOptions<O extends BatchOptions>(where: string, options: O, known: readonly string[]): O {
  refuseUnknownOptions(where, options, known)
  const { concurrency = 1, reserve = 0, verify = 'md5', throwWhenAllFail = false } = options
  const { clock = systemClock } = options
  if (!(concurrency === Number.POSITIVE_INFINITY || (Number.isInteger(concurrency) && concurrency > 0)))
    refuse(where, 'concurrency', concurrency, 'a whole number above 0, or Infinity')
  if (!(Number.isFinite(reserve) && reserve >= 0))
    refuse(where, 'reserve', reserve, 'milliseconds, 0 or more')
  if (verify !== 'md5') refuse(where, 'verify', verify, "'md5'")
  if (typeof throwWhenAllFail !== 'boolean')
    refuse(where, 'throwWhenAllFail', throwWhenAllFail, 'true or false')
  if (typeof clock?.now !== 'function' || typeof clock.after !== 'function')
    refuse(where, 'clock', clock, 'a Clock such as systemClock')
  for (const hook of ['onFailure', 'onDiscard'] as const)
    if (options[hook] !== undefined) checkFunction(where, hook, options[hook])
  return inDevelopment() ? { onFailure: warn, ...options } : options
}

function warn({ id }: Message<unknown>, reason: unknown): void {
  // Nobody's code is to blame for what cannot be read, so there is no stack to look at.
  console.warn(`message ${id} failed:`, reason instanceof InvalidMessageError ? reason.message : reason)
}

/** @throws InvalidOptionError for a value that is not a function */
export function checkFunction(where: string, name: string, value: unknown): void {
  if (typeof value !== 'function') refuse(where, name, value, 'a function')
}

/** @throws InvalidOptionError for a body that is no codec */
export function checkBody(where: string, body: unknown): void {
  if (typeof (body as { decode?: unknown } | null)?.decode !== 'function')
    refuse(where, 'body', body, 'a codec such as fromJson(Order)')
}

function refuse(where: string, name: string, value: unknown, expected: string): never {
  throw new InvalidOptionError(`${where}: ${name} is ${describe(value)}, expected ${expected}`)
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'object' && value !== null) return 'an object'
  return /^[fs]/.test(typeof value) ? `a ${typeof value}` : String(value)
}
