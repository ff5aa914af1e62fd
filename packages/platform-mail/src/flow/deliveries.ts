import type { SourceContext } from '@signalbox/platform-runtime'
import type { MailSettings } from '../config/mail-settings.ts'
import type { Maildirs } from '../delivery/maildirs.ts'
import type { Relay } from '../delivery/relay.ts'
import type { Carrier } from '../store/delivery-rows.ts'
import type { MailStore, PendingDelivery } from '../store/mail-store.ts'
import type { Fate } from '../store/recipient-rows.ts'
import { mailboxPatience, nextDelivery } from './next-delivery.ts'
import { reportMail } from './report-mail.ts'
import { sentence } from './sentence.ts'

/** What came of an attempt to deliver to one recipient. */
interface Answer {
  readonly recipient: string
  readonly result: 'delivered' | 'relayed' | 'refused' | 'later' | 'unreachable'
  readonly why: string
  /** What else is known about it, and is nobody's business who sends mail: paths of this machine. */
  readonly detail?: string
}

/** The status of a mail whose delivery was tried for too long. RFC 3463. */
const expired = '4.4.7'

/**
 * Makes the attempt to deliver that is due of a mail, and stores what comes of it, together with the report to the
 * sender about those to whom it will never be delivered. An attempt during which the box ends is made again: mailboxes
 * know what they have; the relay may get the mail twice.
 */
export function deliveries(
  store: MailStore,
  settings: Pick<MailSettings, 'name' | 'mailboxes' | 'relay'>,
  maildirs: Maildirs,
  relay: Relay | undefined,
  { clock, random }: Pick<SourceContext, 'clock' | 'random'>,
): (mail: string, carrier: Carrier) => Promise<void> {
  const patience = typeof settings.relay === 'object' ? settings.relay.giveUp : mailboxPatience

  const intoMailboxes = async (delivery: PendingDelivery): Promise<readonly Answer[]> => {
    const mail = { ...delivery.of, raw: store.raw(delivery.of.id)! }
    const answers: Answer[] = []
    for (const { address, way } of delivery.recipients) {
      const folder = way === 'junk' ? 'junk' : 'inbox'
      // One mail may be as many files as it has recipients.
      if (!store.hasRoomForFile(mail.raw.length)) {
        answers.push({ recipient: address, result: 'later', why: 'there is no room on the disk' })
        continue
      }
      try {
        await maildirs.deliver(mail, address, folder, delivery.repeated)
        answers.push({ recipient: address, result: 'delivered', why: `in the ${folder} of ${address}` })
      } catch (error) {
        const why = 'the mailbox cannot be written to'
        answers.push({ recipient: address, result: 'later', why, detail: (error as Error).message })
      }
    }
    return answers
  }

  const toRelay = async (delivery: PendingDelivery): Promise<readonly Answer[]> => {
    const addresses = delivery.recipients.map(({ address }) => address)
    const { id, from } = delivery.of
    return relay === undefined
      ? addresses.map(recipient => ({ recipient, result: 'later', why: 'there is no relay any more' }))
      : relay.send(
          {
            from,
            // Not read for a relay that cannot be reached.
            get raw() {
              return store.raw(id)!
            },
          },
          addresses,
        )
  }

  return async (mail, carrier) => {
    const delivery = store.delivery(mail, carrier)
    const answers = await (carrier === 'relay' ? toRelay : intoMailboxes)(delivery)
    // It was deleted meanwhile, and its sender gets no report.
    if (!store.has(mail)) return
    const now = clock.now()
    const { since, of, recipients } = delivery
    // A relay that is back is noticed at the next attempt, and what it says then begins with the short pauses: those do
    // not grow while it cannot be reached.
    const isUnreachable = answers.some(({ result }) => result === 'unreachable')
    const made = { ...delivery, attempts: delivery.attempts + (isUnreachable ? 0 : 1) }
    const nextAt = nextDelivery(
      isUnreachable ? 1 : made.attempts,
      since,
      carrier === 'relay' ? patience : mailboxPatience,
      now,
    )
    const said = new Map(answers.map(answer => [answer.recipient, answer]))
    const results = recipients.map(({ id, address, way }) => {
      const answer = said.get(address) ?? { result: 'later', why: 'nothing was said about it' }
      return { recipient: id, address, ...fateAfter(answer, way!, nextAt, of.from) }
    })
    const bounced = results
      .filter(({ state }) => state === 'bounced')
      .map(({ address, told }) => ({ address, status: statusIn(said.get(address)?.why), text: told }))
    const report = await reportMail(of, () => store.raw(mail)!, bounced, settings, { now, random })
    await store.delivered(made, { fates: results, report }, nextAt ?? now, now)
  }
}

/** What becomes of a recipient, and what the sender is told if it goes back. */
function fateAfter(
  { result, why, detail }: Pick<Answer, 'result' | 'why' | 'detail'>,
  way: NonNullable<Fate['way']>,
  nextAt: number | undefined,
  from: string,
): Fate & { readonly told: string } {
  const isOver = result === 'delivered' || result === 'relayed'
  const isLater = result === 'later' || result === 'unreachable'
  const told = isLater && nextAt === undefined ? `delivery was given up: ${why}` : why
  const known = { told: sentence(told), why: sentence(detail === undefined ? told : `${told}: ${detail}`) }
  if (isOver) return { state: result, ...known }
  if (isLater && nextAt !== undefined) return { state: 'delivering', way, ...known }
  return { state: from === '' ? 'failed' : 'bounced', ...known }
}

/** The enhanced status in what a relay said, such as `550 5.1.1 No such user`. RFC 3463. */
function statusIn(why = ''): string {
  const permanent = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(why)?.[0]
  return permanent ?? (/^5\d\d/.test(why) ? '5.0.0' : expired)
}
