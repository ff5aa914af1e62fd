import type { RecipientVerdict } from '@signalbox/mail-flow/contract'
import type { MailSettings } from '../config/mail-settings.ts'
import type { FailedRecipient } from '../message/failure-report.ts'
import { destinationOf, type Filing } from '../routing.ts'
import type { Disposition, StoredMail } from '../store/mail-store.ts'

/**
 * Converts a verdict to a disposition. Mail from the null sender cannot bounce, so it is dropped.
 * @param why the reason of the verdict, as a sentence
 */
export function dispositionOf(
  { action, address }: Pick<RecipientVerdict, 'action' | 'address'>,
  why: string,
  mail: Pick<StoredMail, 'from' | 'spam'>,
  settings: Pick<MailSettings, 'domains' | 'relay'>,
): Disposition {
  const to = (filing: Filing): Disposition => ({
    state: 'delivering',
    destination: destinationOf(address, filing, mail.spam, settings),
    why,
  })
  switch (action.type) {
    case 'DEFAULT':
      return to('usual')
    case 'BYPASS_SPAM_CHECK':
      return to('inbox')
    case 'MOVE_TO_JUNK':
      return to('junk')
    case 'DROP':
      return { state: 'dropped', why }
    case 'BOUNCE':
      return mail.from === ''
        ? { state: 'dropped', why: `${why}, and mail from the null sender does not bounce` }
        : { state: 'bounced', why }
  }
}

/** The status code of a mail that a function bounced (RFC 3463). */
const refused = '5.7.1'
/** The status code of a mail that bounced without a decision of its function (RFC 3463). */
const undecidable = '5.3.0'

/** Returns the status and the text that the sender of a mail gets if it bounces. */
export function failureOf(
  { action, address }: Pick<RecipientVerdict, 'action' | 'address'>,
  failed: boolean,
): FailedRecipient {
  const text = action.type === 'BOUNCE' ? (action.parameters?.bounceMessage ?? undefined) : undefined
  return { address, status: failed ? undecidable : refused, text }
}
