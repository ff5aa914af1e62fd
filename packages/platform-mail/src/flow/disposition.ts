import type { RecipientVerdict } from '@signalbox/mail-flow/contract'
import type { MailSettings } from '../config/mail-settings.ts'
import { defaultDestination } from '../routing.ts'
import type { Direction, Disposition, StoredMail } from '../store/mail-store.ts'

/** A disposition, with the text that the sender gets when the mail bounces. */
export interface DecidedDisposition extends Disposition {
  readonly bounceMessage?: string | undefined
}

/**
 * Converts a verdict to a disposition. Mail from the null sender cannot bounce, so it is dropped.
 * @param why the reason of the verdict, as a sentence
 */
export function dispositionOf(
  { action }: Pick<RecipientVerdict, 'action'>,
  why: string,
  mail: Pick<StoredMail, 'from' | 'spam'>,
  direction: Direction,
  settings: Pick<MailSettings, 'relay'>,
): DecidedDisposition {
  switch (action.type) {
    case 'DEFAULT':
      return {
        state: 'delivering',
        destination: defaultDestination(direction, mail.spam, settings),
        why,
      }
    case 'BYPASS_SPAM_CHECK':
      return { state: 'delivering', destination: 'inbox', why }
    case 'MOVE_TO_JUNK':
      return { state: 'delivering', destination: 'junk', why }
    case 'DROP':
      return { state: 'dropped', why }
    case 'BOUNCE':
      return mail.from === ''
        ? { state: 'dropped', why: `${why}, and mail from the null sender does not bounce` }
        : { state: 'bounced', why, bounceMessage: action.parameters?.bounceMessage ?? undefined }
  }
}
