import { signalbox } from '@signalbox/core'
import { mailFlow } from '@signalbox/mail-flow'

/** The people who have left, with the reply that is sent to anyone who writes to them. */
const left = new Map([
  ['gina@office.example', 'Gina has left the office. Please write to ann@office.example.'],
  ['omar@office.example', 'Omar has left the office. Please write to sales@office.example.'],
  ['piet@office.example', 'Piet has left the office. Please write to sales@office.example.'],
])

/** Senders whose mail is dropped: addresses and domains. */
const blocklist = new Set(['winner@lottery.example', 'spam.example'])

// #region handler
export const handler = signalbox(
  mailFlow((mail, actions) => {
    if (isBlocked(mail.from)) return actions.drop()
    for (const address of mail.recipients) {
      const farewell = left.get(address.toLowerCase())
      if (farewell) actions.bounce(farewell, [address])
    }
    return actions.default()
  }),
)
// #endregion handler

function isBlocked(address: string): boolean {
  const sender = address.toLowerCase()
  return blocklist.has(sender) || blocklist.has(sender.slice(sender.lastIndexOf('@') + 1))
}
