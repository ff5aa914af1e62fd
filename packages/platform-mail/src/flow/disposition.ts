import type { RecipientVerdict } from '@signalbox/mail-flow/contract'
import type { MailSettings } from '../config/mail-settings.ts'
import { destinationOf, type Filing } from '../routing.ts'
import type { Disposition, StoredMail } from '../store/mail-store.ts'

/** A disposition, with the text that the sender gets when the mail bounces. */
export interface DecidedDisposition extends Disposition {
  readonly bounceMessage?: string | undefined
}

/**
 * Converts a verdict to a disposition. Mail from the null sender cannot bounce, so it is dropped.
 * @param why the reason of the verdict, as a sentence
 */
export function dispositionOf(
  { action, address }: Pick<RecipientVerdict, 'action' | 'address'>,
  why: string,
  mail: Pick<StoredMail, 'from' | 'spam'>,
  settings: Pick<MailSettings, 'domains' | 'relay'>,
): DecidedDisposition {
  const to = (filing: Filing): DecidedDisposition => ({
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
        : { state: 'bounced', why, bounceMessage: action.parameters?.bounceMessage ?? undefined }
  }
}
