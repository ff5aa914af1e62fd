import type { MailEvent } from '../contract/index.ts'
import { builder, type MailActions } from './actions.ts'
import type { Overflow } from './built-response.ts'
import { checkOptions } from './check-options.ts'

/** Options of `mailActions`. */
export interface MailActionsOptions {
  /**
   * Decides what happens at the eleventh unique action. Default: `refuse`, which throws TooManyActionsError. With
   * `fallback`, warnings name the affected recipients.
   */
  readonly overflow?: Overflow
}

/**
 * Makes a builder for the response to a mail.
 * @throws InvalidOptionError for invalid options
 * @example
 * const response = mailActions(event).drop(['spam@example.com']).default().response()
 */
export function mailActions(event: MailEvent, options: MailActionsOptions = {}): MailActions {
  checkOptions('mailActions()', options, ['overflow'])
  return builder(event, options.overflow)
}
