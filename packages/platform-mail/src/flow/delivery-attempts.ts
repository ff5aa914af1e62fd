import type { SourceContext } from '@signalbox/platform-runtime'
import { partsOf } from '../address-pattern.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import type { Mailboxes } from '../mailboxes/mailboxes.ts'
import { withSpamFlag } from '../message/spam-flag.ts'
import type { NextServers } from '../relay/next-servers.ts'
import type { Relay } from '../relay/relay.ts'
import { mailboxOf } from '../routing.ts'
import type { Destination, Disposition, MailStore, PendingDelivery } from '../store/mail-store.ts'
import { isUnavailable, MailStoreError } from '../store/mail-store-error.ts'
import { mailCause } from './mail-cause.ts'
import { mailboxRetryTime, nextDelivery } from './next-delivery.ts'
import type { Reports } from './reports.ts'
import { sentence } from './sentence.ts'

/** The result of an attempt to deliver to one recipient. */
interface DeliveryResult {
  readonly recipient: string
  readonly result: 'delivered' | 'relayed' | 'refused' | 'later' | 'unreachable'
  readonly why: string
  /** More about the reason, for operators only, because it can contain paths of this machine. */
  readonly detail?: string
}

/** The forms in which the next server gets a mail, by destination. Each form is one transaction. */
const relayedForms: { readonly [D in Destination]?: (raw: Buffer) => Buffer } = {
  relay: raw => raw,
  'relay-inbox': raw => withSpamFlag(raw, false),
  'relay-junk': raw => withSpamFlag(raw, true),
}

/** The status code of a mail that could not be delivered in time (RFC 3463). */
const expired = '4.4.7'

/**
 * Makes one delivery attempt, and stores the results together with the report about recipients that will never get the
 * mail. If the process ends during an attempt, the attempt is repeated. A mailbox recognizes a mail that it already
 * has, but the relay might get the mail twice.
 * @returns a function that resolves to whether it added a report, which is due at once
 */
export function deliveryAttempts(
  store: MailStore,
  settings: Pick<MailSettings, 'domains' | 'relay'>,
  { mailboxes, servers }: { readonly mailboxes: Mailboxes; readonly servers: NextServers | undefined },
  reports: Reports,
  { clock, traces }: Pick<SourceContext, 'clock' | 'traces'>,
): (delivery: PendingDelivery) => Promise<boolean> {
  const relayRetryTime = typeof settings.relay === 'object' ? settings.relay.giveUp : mailboxRetryTime

  // Only trusted clients may send mail to other domains, so a mail of strangers with a forged author is not signed.
  const leaves = (addresses: readonly string[]) =>
    addresses.some(address => !settings.domains.has(partsOf(address).domain))

  const intoMailboxes = async (delivery: PendingDelivery): Promise<readonly DeliveryResult[]> => {
    const raw = await store.raw(delivery.mail)
    const results: DeliveryResult[] = []
    const filled = new Set<string>()
    // If `raw` is undefined, the mail was deleted in the meantime, and no result is stored.
    for (const { address, destination } of raw === undefined ? [] : delivery.recipients) {
      const folder = destination === 'junk' ? 'junk' : 'inbox'
      const mailbox = mailboxOf(address, settings)
      try {
        // Several recipients can have one mailbox, which gets the mail once.
        const repeated = delivery.repeated || filled.has(mailbox)
        await mailboxes.deliver({ ...delivery.of, raw: raw!, to: address }, mailbox, folder, repeated)
        filled.add(mailbox)
        results.push({ recipient: address, result: 'delivered', why: `in the ${folder} of ${mailbox}` })
      } catch (error) {
        // The attempt does not count and is repeated soon. Mailboxes recognize mails that they already have.
        if (isUnavailable(error)) throw error
        results.push({ recipient: address, result: 'later', ...mailboxFailure(error) })
      }
    }
    return results
  }

  const toServers = async ({ of, recipients }: PendingDelivery): Promise<readonly DeliveryResult[]> => {
    const results: DeliveryResult[] = []
    for (const [destination, raw] of Object.entries(relayedForms)) {
      const read = async () => {
        const stored = await store.raw(of.id)
        return stored && raw(stored)
      }
      const byServer = new Map<Relay | undefined, string[]>()
      for (const { address } of recipients.filter(each => each.destination === destination)) {
        const server = servers?.of(address)
        const addresses = byServer.get(server)
        if (addresses === undefined) byServer.set(server, [address])
        else addresses.push(address)
      }
      for (const [server, addresses] of byServer)
        results.push(
          ...(server === undefined
            ? addresses.map(recipient => ({
                ...{ recipient, result: 'later' as const, why: 'there is no relay any more' },
              }))
            : await server.send(
                {
                  from: of.from,
                  utf8: of.utf8,
                  raw: read,
                  sign: leaves(addresses) ? servers?.sign : undefined,
                },
                addresses,
              )),
        )
    }
    return results
  }

  return async delivery => {
    const { mail, carrier, since, of, recipients } = delivery
    const startedAt = traces?.now()
    const results = await (carrier === 'relay' ? toServers : intoMailboxes)(delivery)
    const undelivered = results.find(({ result }) => result !== 'delivered' && result !== 'relayed')
    traces?.record({
      ...mailCause(of),
      ...(carrier === 'relay'
        ? ({ name: 'relay mail', kind: 'client' } as const)
        : ({ name: 'deliver mail', kind: 'internal' } as const)),
      startedAt: startedAt!,
      attributes: {
        'signalbox.mail.id': of.id,
        'signalbox.mail.recipients': recipients.length,
        'signalbox.attempt': delivery.attempts + 1,
      },
      error: undelivered?.result,
    })
    const now = clock.now()
    // Attempts that could not reach the relay do not count, so that the intervals are short after the relay
    // comes back.
    const isUnreachable = results.some(({ result }) => result === 'unreachable')
    const attempts = delivery.attempts + (isUnreachable ? 0 : 1)
    const nextAt = nextDelivery(
      isUnreachable ? 1 : attempts,
      since,
      carrier === 'relay' ? relayRetryTime : mailboxRetryTime,
      now,
    )
    const byAddress = new Map(results.map(result => [result.recipient, result]))
    const attempted = recipients.map(({ id, address, destination }) => {
      const result = byAddress.get(address) ?? { result: 'later', why: 'the attempt brought no result' }
      const status = statusIn(result.why)
      return { recipient: id, address, status, ...dispositionAfter(result, destination!, nextAt, of.from) }
    })
    const result = await reports(of, () => store.raw(mail), attempted)
    await store.concludeDelivery(delivery, attempts, result, nextAt ?? now, now)
    return result.report !== undefined
  }
}

function mailboxFailure(error: unknown): Pick<DeliveryResult, 'why' | 'detail'> {
  return error instanceof MailStoreError && error.code === 'STORAGE_FULL'
    ? { why: 'there is no space on the disk' }
    : { why: 'the mailbox cannot be written to', detail: (error as Error).message }
}

/** Returns the disposition after an attempt, with the text for the sender when the mail bounces. */
function dispositionAfter(
  { result, why, detail }: Pick<DeliveryResult, 'result' | 'why' | 'detail'>,
  destination: Destination,
  nextAt: number | undefined,
  from: string,
): Disposition & { readonly text: string } {
  const isTemporary = result === 'later' || result === 'unreachable'
  const reason = isTemporary && nextAt === undefined ? `delivery was given up: ${why}` : why
  const texts = {
    text: sentence(reason),
    why: sentence(detail === undefined ? reason : `${reason}: ${detail}`),
  }
  if (result === 'delivered' || result === 'relayed') return { state: result, ...texts }
  if (isTemporary && nextAt !== undefined) return { state: 'delivering', destination, ...texts }
  return { state: from === '' ? 'failed' : 'bounced', ...texts }
}

/** Returns the enhanced status code (RFC 3463) in a relay's reply, such as `550 5.1.1 No such user`. */
function statusIn(why = ''): string {
  const permanent = /\b5\.\d{1,3}\.\d{1,3}\b/.exec(why)?.[0]
  return permanent ?? (/^5\d\d/.test(why) ? '5.0.0' : expired)
}
