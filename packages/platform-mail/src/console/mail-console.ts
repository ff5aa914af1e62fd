import type { Clock } from '@signalbox/core'
import type { ConsolePart, ConsoleView, EventNames } from '@signalbox/platform-runtime/console'
import type { OpenMail } from '../open-mail.ts'
import { consoleMail } from './console-mail.ts'
import { mailFiles } from './mail-files.ts'
import { mailHandlers } from './mail-handlers.ts'
import { mailPages } from './mail-pages.ts'
import type { AcceptedMail, ConsoleMail } from './mail-port.ts'
import { mailRoutes } from './mail-routes.ts'
import { readableInvocation, readableMail } from './readable-mail.ts'

/** The maximum number of mails that are found for an invocation. */
const mostRelated = 20

/**
 * Returns what mail brings to the console.
 * @param opened undefined for a configuration without mail
 */
export function mailConsole(
  opened: (() => Promise<OpenMail>) | undefined,
  clock: Clock,
): ConsolePart<typeof mailRoutes> {
  const mail = opened && consoleMail(opened, clock)
  const seenBy = ({ mayAct, confidentialSenders }: ConsoleView) =>
    mail === undefined || mayAct ? mail : readableMail(mail, confidentialSenders)
  return {
    name: 'mail',
    isUsed: mail !== undefined,
    pages: mailPages,
    routes: mailRoutes,
    handlers: view => mailHandlers(seenBy(view)),
    files(view) {
      const seen = seenBy(view)
      return seen === undefined ? {} : mailFiles(seen)
    },
    async wrong(since) {
      const mails = (await mail?.list()) ?? []
      return mails.filter(
        ({ receivedAt, report, recipients }) =>
          // A report is about a mail that is counted already.
          receivedAt >= since &&
          !report &&
          recipients.some(({ state }) => state === 'bounced' || state === 'failed'),
      ).length
    },
    readableInvocation,
    related: { name: 'mails', find: (event, view) => mailsNamed(event, seenBy(view)) },
  }
}

/** Returns the accepted mails that an event names by an id, or by an address around its time. */
async function mailsNamed(
  { names, from, to }: EventNames,
  mail: ConsoleMail | undefined,
): Promise<readonly AcceptedMail[]> {
  if (mail === undefined) return []
  const wanted = new Set(names.map(name => name.toLowerCase()))
  const all = await mail.list().catch(() => [])
  return all
    .filter(
      ({ id, receivedAt, recipients }) =>
        wanted.has(id) ||
        (receivedAt >= from &&
          receivedAt < to &&
          recipients.some(each => wanted.has(each.address.toLowerCase()))),
    )
    .slice(0, mostRelated)
}
