import { type MailEvent, type MailResponse, type RecipientVerdict, settle } from './contract/index.ts'
import { shown } from './shown.ts'

/** Something about a response that is allowed and easily a mistake. */
export interface Note {
  /**
   * `uncovered`: no action is for these recipients. `overflow`: their action is past the ten unique ones.
   * `truncated`: the event does not list every recipient, and no action is for all. In each of these cases the
   * platform's fallback action applies. `forgotten`: the decision could not be remembered for a retry.
   */
  readonly kind: 'uncovered' | 'overflow' | 'truncated' | 'forgotten'
  readonly recipients: readonly string[]
  readonly message: string
}

/** What there is to say about a valid response to this mail. */
export function notesOf(response: MailResponse, event: MailEvent): readonly Note[] {
  const { recipients, unlisted } = settle(response, event, { type: 'DEFAULT' })
  const because = (reason: RecipientVerdict['reason']) =>
    [...recipients, ...unlisted].filter(each => each.reason === reason).map(each => each.address)
  const notes: Note[] = []
  const add = (kind: Note['kind'], addresses: readonly string[], message: string) =>
    notes.push({ kind, recipients: addresses, message: `${message} The fallback action applies.` })
  const uncovered = because('uncovered')
  if (uncovered.length > 0) add('uncovered', uncovered, `No action is for ${list(uncovered)}.`)
  const overflow = because('overflow')
  if (overflow.length > 0)
    add('overflow', overflow, `The action for ${list(overflow)} is past the ten unique ones.`)
  if (event.truncated && !response.actions.some(({ allRecipients }) => allRecipients))
    add('truncated', [], 'The event was truncated, and no action is for recipients that it does not list.')
  return notes
}

function list(addresses: readonly string[]): string {
  const first = addresses.slice(0, 3).map(shown).join(', ')
  return addresses.length > 3 ? `${first} and ${addresses.length - 3} more` : first
}
