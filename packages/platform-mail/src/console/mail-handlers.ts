import { ApiError, found, type HandlersOf } from '@signalbox/platform-runtime/console'
import type { AcceptedMail, ConsoleMail } from './mail-port.ts'
import type { mailRoutes } from './mail-routes.ts'

/** The maximum number of mails in one answer. */
const mostListed = 200

/**
 * Returns the handlers of the routes about mail.
 * @param port undefined for a configuration without mail
 */
export function mailHandlers(port: ConsoleMail | undefined): HandlersOf<typeof mailRoutes> {
  const mail = (): ConsoleMail => found(port, 'mail: the configuration has none')

  return {
    async mails({ query: { text = '', after, last = 50 } }) {
      if (port === undefined) return []
      const all = await mail().list()
      const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1
      if (after !== undefined && start === 0)
        throw new ApiError(400, `There is no mail ${after} to continue after.`)
      const most = Math.min(last, mostListed)
      const wanted = text.toLowerCase()
      const listed: AcceptedMail[] = []
      for (const each of all.slice(start)) {
        if (listed.length >= most) break
        if (fits(each, wanted)) listed.push(each)
      }
      return listed
    },
    async mail({ params }) {
      const state = found(
        (await mail().list()).find(({ id }) => id === params.id),
        `mail ${params.id}`,
      )
      const raw = await mail().raw(params.id)
      return { mail: state, content: raw && (await mail().parse(raw)) }
    },
    sendMail: ({ body }) => mail().send(body),
    async changeMail({ params, body }) {
      await mail().change(params.id, body.action)
    },
    async mailboxes() {
      if (port === undefined) return []
      const counts = new Map<string, { inbox: number; junk: number }>()
      for (const { address, folder } of await mail().mailboxes()) {
        const count = counts.get(address) ?? { inbox: 0, junk: 0 }
        count[folder]++
        counts.set(address, count)
      }
      return [...counts].map(([address, count]) => ({ address, ...count })).sort(byAddress)
    },
    mailbox: async ({ params }) => (port === undefined ? [] : mail().mailboxes(params.address)),
    async mailboxMail({ params }) {
      const raw = found(
        await mail().delivered(params.address, params.id),
        `mail ${params.id} in this mailbox`,
      )
      return mail().parse(raw)
    },
  }
}

function fits({ id, from, subject, recipients }: AcceptedMail, wanted: string): boolean {
  const texts = [id, from, subject, ...recipients.map(({ address }) => address)]
  return texts.some(each => each.toLowerCase().includes(wanted))
}

function byAddress(a: { readonly address: string }, b: { readonly address: string }): number {
  return a.address < b.address ? -1 : 1
}
