import type { RecipientVerdict } from '@signalbox/mail-flow/contract'
import type { MailSettings } from '../config/mail-settings.ts'
import { usualWay } from '../mailboxes.ts'
import type { MailRow } from '../store/mail-rows.ts'
import type { Direction, Fate } from '../store/recipient-rows.ts'

/** What a verdict means for a recipient of a mail, why, and what its sender is told if it goes back. */
export interface DecidedFate extends Fate {
  readonly bounceMessage?: string | undefined
}

/**
 * Does to a mail what was decided. A mail from nobody cannot go back: it is dropped.
 *
 * @param why the decision's reason, as a sentence
 */
export function fateOf(
  { action }: Pick<RecipientVerdict, 'action'>,
  why: string,
  mail: Pick<MailRow, 'from' | 'spam'>,
  direction: Direction,
  settings: Pick<MailSettings, 'relay'>,
): DecidedFate {
  switch (action.type) {
    case 'DEFAULT':
      return { state: 'delivering', way: usualWay(direction, mail.spam, settings), why }
    case 'BYPASS_SPAM_CHECK':
      return { state: 'delivering', way: 'inbox', why }
    case 'MOVE_TO_JUNK':
      return { state: 'delivering', way: 'junk', why }
    case 'DROP':
      return { state: 'dropped', why }
    case 'BOUNCE':
      return mail.from === ''
        ? { state: 'dropped', why: `${why}, and mail from the null sender does not go back` }
        : { state: 'bounced', why, bounceMessage: action.parameters?.bounceMessage ?? undefined }
  }
}
