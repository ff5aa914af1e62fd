import { type Store, signalbox } from '@signalbox/core'
import { type FetchMessage, mailFlow, once } from '@signalbox/mail-flow'

const program = /\.(bat|cmd|exe|js|scr|vbs)$/i

/** Reads every mail whole, and lets none pass that brings a program along. */
export function carefulHandler(fetchMessage: FetchMessage, store: Store) {
  // #region careful
  return signalbox(
    mailFlow(
      async (mail, actions) => {
        const { attachments } = await mail.parsed()
        const brings = attachments.some(({ filename }) => program.test(filename ?? ''))
        return brings ? actions.bounce('Programs are not accepted by mail.') : actions.default()
      },
      {
        // Where the whole mail comes from: the event carries only a summary.
        fetchMessage,
        // A retry gets the decision that was made, and the mail is not fetched again.
        once: once({ store }),
        // Better suspected than late: this decides when fourteen and a half seconds are over.
        onTimeout: (mail, actions) => (mail.inbound ? actions.moveToJunk() : actions.default()),
      },
    ),
  )
  // #endregion careful
}
