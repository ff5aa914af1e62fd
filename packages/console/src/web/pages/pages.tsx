import type { ComponentChildren } from 'preact'
import { AccessLogPage } from './access/access-log-page.tsx'
import { FunctionPage } from './functions/function-page.tsx'
import { FunctionsPage } from './functions/functions-page.tsx'
import { InvocationPage } from './invocations/invocation-page.tsx'
import { InvocationsPage } from './invocations/invocations-page.tsx'
import { AcceptedMailPage } from './mail/accepted-mail-page.tsx'
import { AcceptedMailsPage } from './mail/accepted-mails-page.tsx'
import { MailboxMailPage } from './mail/mailbox-mail-page.tsx'
import { MailboxesPage } from './mail/mailboxes-page.tsx'
import { SendMailPage } from './mail/send-mail-page.tsx'
import { PlatformsPage } from './platforms/platforms-page.tsx'
import { QueuePage } from './queues/queue-page.tsx'
import { QueuesPage } from './queues/queues-page.tsx'
import { TryEventPage } from './try/try-event-page.tsx'
import { TryRequestPage } from './try/try-request-page.tsx'
import { PoolMessagesPage } from './users/pool-messages-page.tsx'
import { PoolPage } from './users/pool-page.tsx'
import { PoolsPage } from './users/pools-page.tsx'
import { SignInPage } from './users/sign-in-page.tsx'
import { UserPage } from './users/user-page.tsx'

/** A page that the navigation lists. */
export interface Page {
  /** The first part of the page's path. */
  readonly name: string
  readonly title: string
  /** The SVG path of the page's icon, in a square of 16 units. */
  readonly sign: string
  /** @param parts the decoded segments of the path after the page's name */
  readonly show: (parts: readonly string[]) => ComponentChildren
}

/** All pages, in the order of the navigation. */
export const pages: readonly Page[] = [
  {
    name: 'invocations',
    title: 'Invocations',
    sign: 'M1.5 8h3l2-5.5 3 11 2-5.5h3',
    show: ([id]) => (id ? <InvocationPage key={id} id={id} /> : <InvocationsPage />),
  },
  {
    name: 'functions',
    title: 'Functions',
    sign: 'M5 2.5H3.5v4L2 8l1.5 1.5v4H5M11 2.5h1.5v4L14 8l-1.5 1.5v4H11M6.5 8h3',
    show: ([name]) => (name ? <FunctionPage key={name} name={name} /> : <FunctionsPage />),
  },
  {
    name: 'queues',
    title: 'Queues',
    sign: 'M2.5 3.5h11v3h-11zM2.5 9.5h11v3h-11z',
    show: ([name]) => (name ? <QueuePage key={name} name={name} /> : <QueuesPage />),
  },
  {
    name: 'mail',
    title: 'Mail',
    sign: 'M1.5 3.5h13v9h-13zM1.5 4.5 8 9l6.5-4.5',
    show: ([place, first, second]) =>
      place === 'mailboxes' ? (
        first && second ? (
          <MailboxMailPage key={second} address={first} id={second} />
        ) : (
          <MailboxesPage address={first} />
        )
      ) : place === 'send' ? (
        <SendMailPage />
      ) : place === 'accepted' && first ? (
        <AcceptedMailPage key={first} id={first} />
      ) : (
        <AcceptedMailsPage />
      ),
  },
  {
    name: 'users',
    title: 'Users',
    sign: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.5 14c.5-2.8 2.7-4 5.5-4s5 1.2 5.5 4',
    show: ([pool, place, name]) =>
      pool === undefined || pool === '' ? (
        <PoolsPage />
      ) : place === 'user' && name ? (
        <UserPage key={name} pool={pool} name={name} />
      ) : place === 'messages' ? (
        <PoolMessagesPage pool={pool} />
      ) : place === 'sign-in' ? (
        <SignInPage pool={pool} />
      ) : (
        <PoolPage key={pool} pool={pool} />
      ),
  },
  {
    name: 'access',
    title: 'Access log',
    sign: 'M8 1.5 2.5 4v4c0 3.3 2.3 5.6 5.5 6.5 3.2-.9 5.5-3.2 5.5-6.5V4zM5.5 8l2 2 3.5-4',
    show: () => <AccessLogPage />,
  },
  {
    name: 'platforms',
    title: 'Platforms',
    sign: 'M2.5 2.5h11v4h-11zM2.5 9.5h11v4h-11zM5 4.5h1.5M5 11.5h1.5',
    show: () => <PlatformsPage />,
  },
  {
    name: 'try',
    title: 'Try it',
    sign: 'M4 2.5v11l9-5.5z',
    show: ([place]) => (place === 'request' ? <TryRequestPage /> : <TryEventPage />),
  },
]
