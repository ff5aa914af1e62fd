import type { DatabaseSync } from 'node:sqlite'
import {
  freeSpaceOf,
  latestTime,
  sharedTransactions,
  transactions,
} from '@signalbox/platform-runtime/storage'
import type { MailRule } from '../config/mail-settings.ts'
import { type Carrier, carrierOf, type DeliveryRow, deliveryRows } from './delivery-rows.ts'
import { type InvocationRow, invocationRows, type Postponement } from './invocation-rows.ts'
import { layOut } from './layout.ts'
import { type MailRow, mailRows, type NewRow } from './mail-rows.ts'
import { storageFull } from './mail-store-error.ts'
import { type Fate, type NewRecipient, type RecipientRow, recipientRows } from './recipient-rows.ts'

/** A mail as it comes, with all that is to become of it. */
export interface NewMail extends NewRow {
  readonly raw: Uint8Array
  readonly recipients: readonly NewRecipient[]
  readonly invocations: readonly { readonly id: string; readonly rule: MailRule }[]
}

/** What becomes of some recipients, and the mail that tells the sender of it. */
export interface Outcome {
  readonly fates: readonly (Fate & { readonly recipient: number })[]
  readonly report: NewMail | undefined
}

/** An invocation with the mail that it is about, and everyone whom it concerns. */
export interface PendingInvocation extends InvocationRow {
  readonly of: MailRow
  readonly recipients: readonly RecipientRow[]
}

/** A delivery with the mail and those who have yet to get it. */
export interface PendingDelivery extends DeliveryRow {
  readonly of: MailRow
  /** Whether there may have been an attempt before, of which nothing may be known: the box may have ended during it. */
  readonly repeated: boolean
  readonly recipients: readonly RecipientRow[]
}

/** Bytes that a mail takes up beside its text, roughly, and as often as that is written: to the log, then to its place. */
const overhead = 64 * 1024
const copies = 2

/** Mails, and bytes of them, that are forgotten in one transaction: everything else waits for it. */
const forgottenAtOnce = { mails: 100, bytes: 4 * 1024 * 1024 }

/**
 * The state of all mail in a database. What a call changes is stored all at once, when it resolves, or not at all, when
 * it rejects. Times are milliseconds since the epoch.
 * @param measure measures the space that is left for the database, and for files beside it
 */
export function openMailStore(database: DatabaseSync, measure = freeSpaceOf) {
  layOut(database)
  const mails = mailRows(database)
  const invocations = invocationRows(database)
  const recipients = recipientRows(database)
  const deliveries = deliveryRows(database)
  const write = transactions(database, storageFull)
  const share = sharedTransactions(write)
  const space = measure(database)
  /** What came until then may have been attempted by a box that was killed. */
  const lastBefore = mails.last()
  const attempted = new Set<string>()
  const version = database.prepare('pragma data_version')

  const pending = database.prepare(
    'select 1 from deliveries union all select 1 from invocations where next_at is not null limit 1',
  )
  const latest = latestTime(database)

  const change = async (now: number, work: () => void, size?: number): Promise<void> => {
    await share(() => {
      work()
      if (latest.isNews(now)) latest.write(now)
    }, size)
    latest.written(now)
  }

  const insert = ({ raw, recipients: list, invocations: asked, ...mail }: NewMail) => {
    mails.insert(mail, raw)
    for (const { id, rule } of asked) invocations.insert(id, mail.id, rule, mail.receivedAt)
    for (const each of list) {
      recipients.insert(mail.id, each)
      if (each.way !== undefined) deliveries.ask(mail.id, carrierOf(each.way), mail.receivedAt)
    }
  }

  return {
    invocations: {
      due: invocations.due,
      nextAfter: invocations.nextAfter,
      functions: invocations.functions,
    },
    deliveries: { due: deliveries.due, nextAfter: deliveries.nextAfter },
    raw: mails.raw,
    /** Whether a mail is there still: another process may have deleted it. */
    has: mails.has,
    /** Milliseconds by which a clock lags behind the latest change, if anything is pending. */
    lag: (now: number): number => latest.lag(now, pending.get() !== undefined),
    /** Another number when another process has changed something. */
    version: (): number => Number(version.get()!.data_version),
    /** Whether the disk can take the file of a mail of so many bytes. */
    hasRoomForFile: space.forFile,

    /** @throws MailStoreError when the disk is full */
    async accept(mail: NewMail): Promise<void> {
      if (!space.forRows(copies * mail.raw.length + overhead)) throw storageFull()
      await change(mail.receivedAt, () => insert(mail), mail.raw.length)
    },

    invocation(id: string): PendingInvocation {
      const row = invocations.get(id)
      const { mail, rule } = row
      return { ...row, of: mails.get(mail), recipients: recipients.ofDirection(mail, rule.direction) }
    },

    /** The invocation is to be tried again, or ends with the fallback. */
    postpone: (how: Postponement, now: number): Promise<void> => change(now, () => invocations.postpone(how)),

    /** The invocation is over, and this came of it. */
    conclude({ id, attempts, mail }: InvocationRow, { fates, report }: Outcome, now: number): Promise<void> {
      return change(now, () => {
        if (!mails.has(mail)) return
        invocations.finish(id, attempts)
        for (const { recipient, ...fate } of fates) {
          recipients.settle(recipient, fate)
          if (fate.way !== undefined) deliveries.ask(mail, carrierOf(fate.way), now)
        }
        if (report !== undefined) insert(report)
      })
    },

    /** A delivery that is attempted now. */
    delivery(mail: string, carrier: Carrier): PendingDelivery {
      const waiting = recipients.onTheirWay(mail)
      const row = deliveries.get(mail, carrier)
      const of = mails.get(mail)
      const key = `${carrier} ${mail}`
      const repeated = row.attempts > 0 || of.sequence <= lastBefore || attempted.has(key)
      attempted.add(key)
      return {
        ...row,
        of,
        repeated,
        recipients: waiting.filter(({ way }) => carrierOf(way!) === carrier),
      }
    },

    /**
     * What came of an attempt to deliver, and when those get another who are still on their way.
     * @param made the delivery with the attempts that count by now
     */
    delivered(made: DeliveryRow, { fates, report }: Outcome, nextAt: number, now: number): Promise<void> {
      const { mail, carrier } = made
      return change(now, () => {
        if (!mails.has(mail)) return
        for (const { recipient, ...fate } of fates) recipients.attempted(recipient, fate)
        const tried = new Set(fates.map(({ recipient }) => recipient))
        const waiting = recipients.onTheirWay(mail).filter(({ way }) => carrierOf(way!) === carrier)
        if (waiting.length === 0) deliveries.remove(mail, carrier)
        // Who was decided on while the attempt was made has not had one.
        else deliveries.postpone(made, waiting.every(({ id }) => tried.has(id)) ? nextAt : now)
        if (report !== undefined) insert(report)
      }).then(() => void attempted.delete(`${carrier} ${mail}`))
    },

    /**
     * Forgets some mails that came until then and of which nothing is pending, and returns the space to a disk that is
     * nearly full. Answers whether there is more to do.
     */
    forget(until: number): boolean {
      const all = mails.over(until, forgottenAtOnce.mails)
      if (all.length === 0) return space.returnPages()
      let bytes = 0
      const some = all.filter(({ size }, at) => {
        bytes += size
        return at === 0 || bytes <= forgottenAtOnce.bytes
      })
      write(() => {
        for (const { id } of some) mails.forget(id)
      })
      const returns = space.returnPages()
      return returns || some.length < all.length || some.length === forgottenAtOnce.mails
    },
  }
}

export type MailStore = ReturnType<typeof openMailStore>
