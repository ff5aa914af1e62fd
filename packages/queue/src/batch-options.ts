import { isOldZod, isSchema, oldZod } from '@signalbox/codec/ready'
import { type Clock, InvalidOptionError, refuseUnknownOptions, systemClock } from '@signalbox/core'
import type { QueueRecord } from './contract/record.ts'
import { InvalidMessageError } from './errors.ts'
import type { Message } from './message/message.ts'
import type { Verification } from './message/read-message.ts'

/** Logs one failed message, like `console.error` or the `error` method of a logger. */
export type MessageLog = (text: string, reason: unknown) => unknown

/** The options for handling a batch. */
export interface BatchOptions {
  /**
   * The maximum number of messages, or FIFO groups, that are handled at the same time. Default: 10. It can be
   * `Infinity`.
   */
  readonly concurrency?: number
  /**
   * When only this many milliseconds are left, no further message starts, and the signals of running messages are
   * aborted. When half of this time is left, messages that are still running are reported as failed. Default 250.
   */
  readonly reserve?: number
  /** `md5` compares `md5OfBody` with the body. Off by default, because many test events have a wrong digest. */
  readonly verify?: Verification
  /**
   * Whether the invocation fails when every message failed. Default: false. The response then lists all messages, so
   * that the platform counts a successful invocation and retries each message.
   */
  readonly throwWhenAllFail?: boolean
  /**
   * Logs every message that is reported as failed, with its reason. Default: `console.error`. `false` logs nothing. The
   * text contains the id of the message, but never its body.
   */
  readonly log?: MessageLog | false
  /**
   * Called for every message that is reported as failed. The response waits for this function while there is time, but
   * other messages do not. Errors of the function are ignored. If the body of the message cannot be decoded, `body` is
   * the original string.
   */
  readonly onFailure?: (message: Message<unknown>, reason: unknown) => unknown
  /** Called for every message that was discarded with `discard`, in the same way as `onFailure`. */
  readonly onDiscard?: (message: Message<unknown>, reason: unknown) => unknown
  /** The clock for deadlines. Default: the system clock. */
  readonly clock?: Clock
}

export const batchOptionNames = [
  'concurrency',
  'reserve',
  'verify',
  'throwWhenAllFail',
  'log',
  'onFailure',
  'onDiscard',
  'clock',
] as const satisfies readonly (keyof BatchOptions)[]

/**
 * Checks the options for handling a batch.
 * @throws InvalidOptionError for an unknown option or an invalid value
 */
export function checkOptions(where: string, options: BatchOptions, known: readonly string[]): void {
  refuseUnknownOptions(where, options, known)
  const { concurrency = 1, reserve = 0, verify = 'md5', throwWhenAllFail = false } = options
  const { clock = systemClock, log = console.error } = options
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
  if (log !== false) checkFunction(where, 'log', log)
}

/** Returns whether a log, a hook or an error needs the reasons for failures. */
export function needsReason({ log, onFailure, throwWhenAllFail }: BatchOptions): boolean {
  return log !== false || onFailure !== undefined || throwWhenAllFail === true
}

/** Logs that a message failed. Errors that `log` throws are ignored. */
export function logFailure(log: BatchOptions['log'], record: QueueRecord, reason: unknown): void {
  if (log === false) return
  try {
    // For an unreadable message, the stack contains no user code, so only the error message is logged.
    const detail = reason instanceof InvalidMessageError ? reason.message : reason
    ;(log ?? console.error)(`Message ${record.messageId} failed${attemptOf(record)}:`, detail)
  } catch {
    // The reason might be a Proxy that throws on every access.
  }
}

/** Returns a phrase such as ` at attempt 2`, or an empty string if the receive count of the record cannot be read. */
function attemptOf(record: QueueRecord): string {
  try {
    const { ApproximateReceiveCount: count } = record.attributes
    return /^\d+$/.test(count) ? ` at attempt ${count}` : ''
  } catch {
    return ''
  }
}

/**
 * Checks that an option is a function.
 * @throws InvalidOptionError for any other value
 */
export function checkFunction(where: string, name: string, value: unknown): void {
  if (typeof value !== 'function') refuse(where, name, value, 'a function')
}

/**
 * Checks the option `body`.
 * @throws InvalidOptionError for a body that is not a codec and, except in production, for a codec that refuses every string
 */
export function checkBody(where: string, body: unknown): void {
  if (isSchema(body)) return
  // The compiler reports these two, too.
  if (process.env.NODE_ENV !== 'production') refuseOldZod(where, body)
  for (const method of ['decode', 'validate', 'is'])
    if (typeof (body as { readonly [name: string]: unknown } | null)?.[method] !== 'function')
      refuse(where, 'body', body, 'a codec such as fromJson(Order)')
  if (process.env.NODE_ENV !== 'production') refuseJsonCodec(where, body)
}

function refuseOldZod(where: string, body: unknown): void {
  if (isOldZod(body)) throw new InvalidOptionError(`${where}: body is ${oldZod}`)
}

function refuseJsonCodec(where: string, body: unknown): void {
  const { _tag, name } = body as { readonly _tag?: unknown; readonly name?: unknown }
  // The tags of io-ts codecs that refuse every string
  if (
    /^(?:Interface|Partial|Strict|Exact|(?:Readonly)?Array|Tuple|Dictionary|Number|Boolean|Null)Type$/.test(
      String(_tag),
    )
  )
    throw new InvalidOptionError(
      `${where}: body is a codec of JSON values (${String(name)}), but the body of a message is text. Write body: fromJson(…) with fromJson of @signalbox/codec.`,
    )
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
