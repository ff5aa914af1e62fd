import {
  type MailEvent,
  type MailResponse,
  type RecipientVerdict,
  recipientVerdicts,
} from '../contract/index.ts'
import { isForAllRecipients } from '../contract/recipient-verdicts.ts'
import { describeValue } from '../describe-value.ts'

/** A probable mistake in a valid response. */
export interface ResponseWarning {
  /**
   * `uncovered`: these recipients have no action. `overflow`: the action of these recipients is not among the first
   * ten unique actions. `truncated`: the event does not list all recipients, and no action is for all recipients. In
   * these three cases, the fallback action applies. `forgotten`: the decision could not be stored for a retry.
   */
  readonly kind: 'uncovered' | 'overflow' | 'truncated' | 'forgotten'
  readonly recipients: readonly string[]
  readonly message: string
}

/** Returns the warnings about a valid response to an event. */
export function warningsOf(response: MailResponse, event: MailEvent): readonly ResponseWarning[] {
  const { recipients, unlisted } = recipientVerdicts(response, event, { type: 'DEFAULT' })
  const because = (reason: RecipientVerdict['reason']) =>
    [...recipients, ...unlisted].filter(each => each.reason === reason).map(each => each.address)
  const warnings: ResponseWarning[] = []
  const add = (kind: ResponseWarning['kind'], addresses: readonly string[], message: string) =>
    warnings.push({ kind, recipients: addresses, message: `${message} The fallback action applies.` })
  const uncovered = because('uncovered')
  if (uncovered.length > 0) add('uncovered', uncovered, `No action is for ${list(uncovered)}.`)
  const overflow = because('overflow')
  if (overflow.length > 0)
    add('overflow', overflow, `The action for ${list(overflow)} is not among the first ten unique actions.`)
  if (event.truncated && !response.actions.some(isForAllRecipients))
    add('truncated', [], 'The event was truncated, and no action is for recipients that it does not list.')
  return warnings
}

function list(addresses: readonly string[]): string {
  const first = addresses.slice(0, 3).map(describeValue).join(', ')
  return addresses.length > 3 ? `${first} and ${addresses.length - 3} more` : first
}
