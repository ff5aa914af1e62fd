// #region careful
import { type Store, signalbox } from '@signalbox/core'
import {
  type FetchMessage,
  MailNotParsedError,
  mailFlow,
  once,
  parseMail,
  type RawMail,
} from '@signalbox/mail-flow'
import { isProgram } from './is-program.ts'

/** Reads every mail completely, and stops mails that contain a program or cannot be read. */
export function carefulHandler(fetchMessage: FetchMessage, store: Store) {
  return signalbox(
    mailFlow(
      async (mail, actions) => {
        try {
          const brings = await bringsProgram(await mail.raw())
          return brings ? actions.bounce('Programs are not accepted by mail.') : actions.default()
        } catch (error) {
          // A mail that could not be fetched is retried. A mail that cannot be parsed may contain anything.
          if (!(error instanceof MailNotParsedError)) throw error
          return actions.bounce('This mail is too complex to be checked.')
        }
      },
      {
        // Fetches the whole mail, because the event has only a summary.
        fetchMessage,
        // A retry gets the stored decision without fetching the mail again.
        once: once({ store }),
        // After fourteen and a half seconds, an unread mail counts as suspicious.
        onTimeout: (mail, actions) =>
          mail.inbound ? actions.moveToJunk() : actions.bounce('This mail could not be checked in time.'),
      },
    ),
  )
}

/** Checks the attachments, including those of attached mails. */
async function bringsProgram(raw: RawMail): Promise<boolean> {
  // This throws if the mail exceeds a limit for its parts, their depth, its lines or its size.
  const { attachments } = await parseMail(raw)
  for (const { filename, mimeType, content } of attachments) {
    if (isProgram(filename ?? '')) return true
    if (!mimeType.startsWith('message/')) continue
    if (await bringsProgram(typeof content === 'string' ? content : new Uint8Array(content))) return true
  }
  return false
}
// #endregion careful
