import type { SourcePages } from '../source-pages.ts'
import { AcceptedMailPage } from './accepted-mail-page.tsx'
import { AcceptedMailsPage } from './accepted-mails-page.tsx'
import { MailStep } from './mail-step.tsx'
import { MailboxMailPage } from './mailbox-mail-page.tsx'
import { MailboxesPage } from './mailboxes-page.tsx'
import { mailsOf } from './mails-of.ts'
import { SendMailPage } from './send-mail-page.tsx'

/** The pages of mail. */
export const mailPages: SourcePages = {
  pages: {
    mail: {
      '/': () => <AcceptedMailsPage />,
      '/accepted/*': id => <AcceptedMailPage key={id} id={id} />,
      '/mailboxes': () => <MailboxesPage />,
      '/mailboxes/*': address => <MailboxesPage address={address} />,
      '/mailboxes/*/*': (address, id) => <MailboxMailPage key={id} address={address} id={id} />,
      '/send': () => <SendMailPage />,
    },
  },
  story: {
    stepsOf: details =>
      mailsOf(details).map(mail => ({ at: mail.receivedAt, step: <MailStep key={mail.id} mail={mail} /> })),
    isWaiting: details =>
      mailsOf(details).some(({ recipients }) =>
        recipients.some(({ state }) => state === 'undecided' || state === 'delivering'),
      ),
  },
}
