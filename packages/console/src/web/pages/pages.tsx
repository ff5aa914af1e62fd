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
  /**
   * What is shown at each path below the name. A `*` in a path stands for one segment that is not empty, and the decoded
   * segments are the arguments.
   */
  readonly routes: { readonly [path: string]: (...segments: string[]) => ComponentChildren }
}

/** All pages, in the order of the navigation. */
export const pages: readonly Page[] = [
  {
    name: 'invocations',
    title: 'Invocations',
    sign: 'M1.5 8h3l2-5.5 3 11 2-5.5h3',
    routes: {
      '/': () => <InvocationsPage />,
      '/*': id => <InvocationPage key={id} id={id} />,
    },
  },
  {
    name: 'functions',
    title: 'Functions',
    sign: 'M5 2.5H3.5v4L2 8l1.5 1.5v4H5M11 2.5h1.5v4L14 8l-1.5 1.5v4H11M6.5 8h3',
    routes: {
      '/': () => <FunctionsPage />,
      '/*': name => <FunctionPage key={name} name={name} />,
    },
  },
  {
    name: 'queues',
    title: 'Queues',
    sign: 'M2.5 3.5h11v3h-11zM2.5 9.5h11v3h-11z',
    routes: {
      '/': () => <QueuesPage />,
      '/*': name => <QueuePage key={name} name={name} />,
    },
  },
  {
    name: 'mail',
    title: 'Mail',
    sign: 'M1.5 3.5h13v9h-13zM1.5 4.5 8 9l6.5-4.5',
    routes: {
      '/': () => <AcceptedMailsPage />,
      '/accepted/*': id => <AcceptedMailPage key={id} id={id} />,
      '/mailboxes': () => <MailboxesPage />,
      '/mailboxes/*': address => <MailboxesPage address={address} />,
      '/mailboxes/*/*': (address, id) => <MailboxMailPage key={id} address={address} id={id} />,
      '/send': () => <SendMailPage />,
    },
  },
  {
    name: 'users',
    title: 'Users',
    sign: 'M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8zM2.5 14c.5-2.8 2.7-4 5.5-4s5 1.2 5.5 4',
    routes: {
      '/': () => <PoolsPage />,
      '/*': pool => <PoolPage key={pool} pool={pool} />,
      '/*/user/*': (pool, name) => <UserPage key={name} pool={pool} name={name} />,
      '/*/messages': pool => <PoolMessagesPage pool={pool} />,
      '/*/sign-in': pool => <SignInPage pool={pool} />,
    },
  },
  {
    name: 'access',
    title: 'Access log',
    sign: 'M8 1.5 2.5 4v4c0 3.3 2.3 5.6 5.5 6.5 3.2-.9 5.5-3.2 5.5-6.5V4zM5.5 8l2 2 3.5-4',
    routes: { '/': () => <AccessLogPage /> },
  },
  {
    name: 'platforms',
    title: 'Platforms',
    sign: 'M2.5 2.5h11v4h-11zM2.5 9.5h11v4h-11zM5 4.5h1.5M5 11.5h1.5',
    routes: { '/': () => <PlatformsPage /> },
  },
  {
    name: 'try',
    title: 'Try it',
    sign: 'M4 2.5v11l9-5.5z',
    routes: {
      '/': () => <TryEventPage />,
      '/event': () => <TryEventPage />,
      '/request': () => <TryRequestPage />,
    },
  },
]

/** Returns the page with this name, or undefined. The start page's name can be left out. */
export function pageNamed(name = ''): Page | undefined {
  return name === '' ? pages[0] : pages.find(page => page.name === name)
}

/** Returns what a page shows at a path below its name, or undefined if it has no such path. */
export function shownAt({ routes }: Page, segments: readonly string[]): ComponentChildren {
  for (const [path, show] of Object.entries(routes)) {
    const parts = path === '/' ? [] : path.slice(1).split('/')
    if (parts.length !== segments.length) continue
    if (parts.every((part, index) => (part === '*' ? segments[index] !== '' : part === segments[index])))
      return show(...segments.filter((_, index) => parts[index] === '*'))
  }
  return undefined
}
