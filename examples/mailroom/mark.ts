// #region mark
import { signalbox } from '@signalbox/core'
import { mailFlow } from '@signalbox/mail-flow'
import { platformMessages } from '@signalbox/mail-flow/message-api'

export const handler = signalbox(
  mailFlow(async (mail, actions) => {
    // In latin1 each byte is a character, so all other bytes of the mail stay as they are.
    const raw = Buffer.from(await mail.raw()).toString('latin1')
    await mail.replace(Buffer.from(raw.replace(/^Subject: /im, 'Subject: [External] '), 'latin1'))
    return actions.default()
  }, platformMessages()),
)
// #endregion mark
