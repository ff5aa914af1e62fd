import { signalbox } from '@signalbox/core'
import { mailFlow } from '@signalbox/mail-flow'

export const handler = signalbox(
  mailFlow((mail, actions) =>
    mail.from === '' ? actions.drop() : actions.bounce('Left the company').default([]),
  ),
)
