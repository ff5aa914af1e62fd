import type { MailEvent } from '../contract/index.ts'
import { checkOptions } from '../decision/check-options.ts'
import { builder, type MailActions } from './actions.ts'
import type { Overflow } from './built-response.ts'

export interface MailActionsOptions {
  /** Default `refuse`. With `fallback`, the warnings of the response name the recipients. */
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
