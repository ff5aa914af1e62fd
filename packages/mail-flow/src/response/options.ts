import type { Hint } from '@signalbox/codec'
import type { Clock, Invocation } from '@signalbox/core'
import type { MailDecision, MailEvent, MailResponse } from '../contract/index.ts'
import type { Mail, MessageOptions } from '../mail/mail.ts'
import type { MailActions } from './actions.ts'
import type { Overflow } from './built-response.ts'
import type { Once } from './once.ts'
import type { ResponseWarning } from './warnings.ts'

/**
 * The way in which the platform calls the function. Only responses of synchronous functions have an effect:
 * docs/contract/mail-flow.md#response.
 */
export type Mode = 'sync' | 'async'

/**
 * The result of `decide`: the builder, a response as plain data, or nothing, which means DEFAULT for all recipients. In
 * asynchronous mode, `decide` must return nothing.
 */
export type Answer<M extends Mode = 'sync'> = M extends 'async'
  ? Nothing
  : MailActions | PlainResponse | Nothing

/**
 * A response as plain data. This type forbids unknown fields, because TypeScript would allow a misspelt field in an
 * object that an arrow function returns.
 */
interface PlainResponse extends MailResponse {
  readonly actions: readonly (MailDecision & MisspeltFields)[]
}

interface MisspeltFields {
  readonly allRecipient?: Hint<'write allRecipients: true'>
  readonly allrecipients?: Hint<'write allRecipients: true'>
  readonly recipient?: Hint<'write recipients: […]'>
}

// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement has the result void
type Nothing = undefined | void

/** Decides what happens to a mail. `signal` aborts when no time is left. */
export type Decide<M extends Mode = 'sync'> = (
  mail: Mail,
  actions: MailActions,
  invocation: Invocation,
) => Answer<M> | Promise<Answer<M>>

/** Options of `mailFlow`. All of them can be left out. */
export interface MailFlowOptions<M extends Mode = 'sync'> extends MessageOptions {
  /**
   * How the platform calls the function. Default: `sync`. In `async` mode there is no response and no limit of fifteen
   * seconds.
   */
  readonly mode?: M
  /** Decides what happens at the eleventh unique action. Default: `refuse`. */
  readonly overflow?: Overflow
  /** The time that `onTimeout` has before the limit of fifteen seconds, in milliseconds. Default: 500. */
  readonly reserve?: number
  /**
   * Decides when `decide` takes too long. It must be synchronous, and it gets a new builder. Without this option, the
   * invocation fails, and the platform retries it.
   */
  readonly onTimeout?: (mail: Mail, actions: MailActions) => Answer<M>
  /** Stores decisions for retries: `once({ store })`. */
  readonly once?: Once
  /**
   * Gets warnings about probable mistakes. By default they are printed in development only, except for the
   * warning that a decision could not be stored, which is always printed.
   */
  readonly onWarnings?: (warnings: readonly ResponseWarning[], event: MailEvent) => void
  /** The clock that measures the time until the deadline. Default: the system clock. */
  readonly clock?: Clock
}
