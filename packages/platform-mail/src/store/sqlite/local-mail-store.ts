import type { DatabaseSync } from 'node:sqlite'
import {
  correctColumns,
  durability,
  freeSpaceOf,
  groupCommit,
  latestTime,
  type Need,
  transactions,
  wrapFunctions,
} from '@signalbox/platform-runtime/storage'
import {
  type Carrier,
  carrierOf,
  type MailStore,
  type NewMail,
  type NewRecipient,
  type PendingDelivery,
  type PendingInvocation,
} from '../mail-store.ts'
import { storageFull } from '../mail-store-error.ts'
import { claims } from './claims.ts'
import { deliveryRows } from './delivery-rows.ts'
import { invocationRows } from './invocation-rows.ts'
import { prepareDatabase, timeColumns } from './layout.ts'
import { mailRows } from './mail-rows.ts'
import { queuedMails } from './queued-mails.ts'
import { recipientRows } from './recipient-rows.ts'
import { reportDamagedMails } from './report-damaged-mails.ts'
import { mailStates } from './states.ts'
import { versionWatch } from './version-watch.ts'

/** A mail store in a local database. It also checks the free space next to that database. */
export interface LocalMailStore extends MailStore {
  /** Returns whether the disk of the database has space for a file of `bytes` bytes. */
  readonly hasSpaceForFile: (bytes: number) => boolean
}

/**
 * The maximum number of mails, and the maximum number of bytes, that one transaction deletes. All other work
 * waits for the transaction.
 */
const deletedAtOnce = { mails: 100, bytes: 4 * 1024 * 1024 }

/**
 * Keeps mail in a SQLite database. Claims are in memory, so work that a process claimed before it ended is due
 * again in the next process.
 * @param measure measures the space that is left for the database, and for files beside it
 * @param durable gets the database, and returns a function that waits until its commits are on the disk. The
 * store acknowledges no change before that.
 */
export function localMailStore(
  database: DatabaseSync,
  measure = freeSpaceOf,
  durable = durability,
): LocalMailStore {
  const guarded = <T>(work: () => T): T => reportDamagedMails(database, work)
  return wrapFunctions(
    guarded(() => openStore(database, measure, durable)),
    guarded,
  )
}

function openStore(
  database: DatabaseSync,
  measure: typeof freeSpaceOf,
  durable: typeof durability,
): LocalMailStore {
  prepareDatabase(database)
  const onDisk = durable(database)
  const mails = mailRows(database)
  const invocations = invocationRows(database)
  const recipients = recipientRows(database)
  const deliveries = deliveryRows(database)
  const space = measure(database)
  const write = transactions(database, storageFull, space)
  const share = groupCommit(write, onDisk)
  const latest = latestTime(database)
  const invocationClaims = claims()
  const deliveryClaims = claims()
  /** The latest mail before this start. A process that was killed might have attempted to deliver any mail up to it. */
  const lastBeforeStart = mails.last()
  const attempted = new Set<string>()

  // Accepted mail is decided on and delivered even when the disk is full, because that lets the store forget it.
  const change = async (now: number, work: () => void, need: Need = 'essential'): Promise<void> => {
    await share(() => {
      work()
      if (latest.isNews(now)) latest.write(now)
    }, need)
    latest.written(now)
  }

  const insert = (mail: NewMail) => {
    mails.insert(mail)
    for (const { id, rule } of mail.invocations) invocations.insert(id, mail.id, rule, mail.receivedAt)
    for (const each of mail.recipients) insertRecipient(mail.id, each, mail.receivedAt)
  }

  const insertRecipient = (mail: string, recipient: NewRecipient, dueAt: number) => {
    recipients.insert(mail, recipient)
    if (recipient.destination !== undefined) deliveries.request(mail, carrierOf(recipient.destination), dueAt)
  }

  const waitingFor = (mail: string, carrier: Carrier) =>
    recipients.delivering(mail).filter(({ destination }) => carrierOf(destination!) === carrier)

  // Another process can delete a mail at any time. A missing mail is not pending.
  const pendingInvocation = (id: string): PendingInvocation | undefined => {
    const invocation = invocations.get(id)
    const of = invocation && mails.get(invocation.mail)
    if (invocation === undefined || of === undefined) return undefined
    return { ...invocation, of, recipients: recipients.ofInvocation(of.id, id) }
  }

  const pendingDelivery = (mail: string, carrier: Carrier): PendingDelivery | undefined => {
    const delivery = deliveries.get(mail, carrier)
    const of = mails.get(mail)
    if (delivery === undefined || of === undefined) return undefined
    const key = keyOf(delivery)
    const repeated = delivery.attempts > 0 || of.sequence <= lastBeforeStart || attempted.has(key)
    attempted.add(key)
    return { ...delivery, of, repeated, recipients: waitingFor(mail, carrier) }
  }

  return {
    ...queuedMails(database, async work => {
      const done = write(work, 'essential')
      await onDisk()
      return done
    }),

    async accept(mail) {
      await change(
        mail.receivedAt,
        () => {
          if (!mails.has(mail.id)) insert(mail)
        },
        { kind: kindOf(mail), bytes: mail.raw.length },
      )
    },

    raw: async id => mails.raw(id),
    states: async () => mailStates(database),
    awaitedFunctions: async () => invocations.functions(),

    async claimInvocations(functionName, now, limit) {
      const work = invocationClaims.claim(now, limit, most => invocations.due(functionName, now, most))
      return {
        work: work.map(pendingInvocation).filter(isThere),
        nextAt: invocationClaims.earliest(invocations.nextAfter(functionName, now), now),
      }
    },

    async postponeInvocation({ id }, how, now) {
      await change(now, () => invocations.postpone(id, how))
      invocationClaims.end(id)
    },

    async concludeInvocation({ id, mail }, attempts, { dispositions, added, report }, now) {
      await change(now, () => {
        if (!mails.has(mail)) return
        invocations.finish(id, attempts)
        for (const { recipient, ...disposition } of dispositions) {
          recipients.decided(recipient, disposition)
          if (disposition.destination !== undefined)
            deliveries.request(mail, carrierOf(disposition.destination), now)
        }
        for (const each of added) if (!recipients.has(mail, each.address)) insertRecipient(mail, each, now)
        if (report !== undefined) insert(report)
      })
      invocationClaims.end(id)
    },

    async claimDeliveries(carrier, now, limit) {
      const key = (mail: string) => keyOf({ mail, carrier })
      const work = deliveryClaims.claim(now, limit, most => deliveries.due(carrier, now, most), key)
      return {
        work: work.map(mail => pendingDelivery(mail, carrier)).filter(isThere),
        nextAt: deliveryClaims.earliest(deliveries.nextAfter(carrier, now), now),
      }
    },

    async concludeDelivery(delivery, attempts, { dispositions, report }, nextAt, now) {
      const { mail, carrier } = delivery
      await change(now, () => {
        if (!mails.has(mail)) return
        for (const { recipient, ...disposition } of dispositions) recipients.attempted(recipient, disposition)
        const tried = new Set(dispositions.map(({ recipient }) => recipient))
        const waiting = waitingFor(mail, carrier)
        if (waiting.length === 0) deliveries.remove(mail, carrier)
        // Recipients that were decided on during the attempt were not part of the attempt, so their delivery is due
        // at once.
        else deliveries.postpone(delivery, attempts, waiting.every(({ id }) => tried.has(id)) ? nextAt : now)
        if (report !== undefined) insert(report)
      })
      attempted.delete(keyOf(delivery))
      deliveryClaims.end(keyOf(delivery))
    },

    async returnClaim(work, dueAt) {
      if ('carrier' in work) deliveryClaims.end(keyOf(work), dueAt)
      else invocationClaims.end(work.id, dueAt)
    },

    async forget(until) {
      const found = mails.finished(until, deletedAtOnce.mails)
      // A disk that is nearly full gets back the space of deleted mails.
      if (found.length === 0) return space.returnPages()
      let bytes = 0
      const some = found.filter(({ size }, at) => {
        bytes += size
        return at === 0 || bytes <= deletedAtOnce.bytes
      })
      write(() => {
        for (const { id } of some) mails.remove(id)
      }, 'essential')
      const returnsMore = space.returnPages()
      return returnsMore || some.length < found.length || some.length === deletedAtOnce.mails
    },

    correctTimes: async now => latest.correct(now, correctColumns(database, timeColumns)),
    watch: versionWatch(database),
    hasSpaceForFile: space.forFile,
    async clear() {
      await share(() => {
        for (const table of ['mails', 'invocations', 'recipients', 'deliveries', 'held'])
          database.exec(`delete from ${table}`)
      }, 'essential')
      attempted.clear()
      space.returnPages()
    },
    close: async () => database.close(),
  }
}

/** Anyone may send mail to the platform's own domains. Senders of other mail have an identity, or use this machine. */
function kindOf({ recipients, report }: NewMail) {
  return !report && recipients.every(({ direction }) => direction === 'INBOUND') ? 'anonymous' : 'data'
}

function keyOf({ mail, carrier }: { readonly mail: string; readonly carrier: Carrier }): string {
  return `${carrier} ${mail}`
}

function isThere<T>(work: T | undefined): work is T {
  return work !== undefined
}
