import type { Clock, Invocation } from '@signalbox/core'
import type { MailActions, Overflow } from './actions.ts'
import type { MailEvent, MailResponse } from './contract/index.ts'
import type { Mail, MessageOptions } from './mail.ts'
import type { Note } from './notes.ts'
import type { Once } from './once.ts'

/** How the platform calls the function. Only what a synchronous one answers has an effect (contract, Endpoints C). */
export type Mode = 'sync' | 'async'

/**
 * What a decision may be: the builder, a response as plain data, or nothing, which means DEFAULT for everyone.
 * In asynchronous mode it is nothing.
 */
export type Answer<M extends Mode = 'sync'> = M extends 'async'
  ? Nothing
  : MailActions | MailResponse | Nothing

// biome-ignore lint/suspicious/noConfusingVoidType: void is what a function without a return is declared to answer
type Nothing = undefined | void

/** Decides about a mail. `signal` is aborted when there is no time left. */
export type Decide<M extends Mode = 'sync'> = (
  mail: Mail,
  actions: MailActions,
  invocation: Invocation,
) => Answer<M> | Promise<Answer<M>>

export interface MailFlowOptions<M extends Mode = 'sync'> extends MessageOptions {
  /** Default `sync`. In `async` mode nothing is sent back, and the limit of fifteen seconds does not apply. */
  readonly mode?: M
  /** What happens at the eleventh unique action. Default `refuse`. */
  readonly overflow?: Overflow
  /** Milliseconds kept back from the fifteen seconds, for getting an answer out: fewer than those. Default 500. */
  readonly reserve?: number
  /**
   * Decides when `decide` did not in time, at once and with a builder of its own. Without it the invocation fails,
   * and the platform tries again.
   */
  readonly onTimeout?: (mail: Mail, actions: MailActions) => Answer<M>
  /** Remembers decisions for retries: `once({ store })`. */
  readonly once?: Once
  /**
   * Is told what is allowed and easily a mistake. Default: a warning on the console, in development only; that a
   * decision could not be remembered is always worth one.
   */
  readonly onNotes?: (notes: readonly Note[], event: MailEvent) => void
  readonly clock?: Clock
}
