import type { DatabaseSync } from 'node:sqlite'
import {
  correctColumns,
  durability,
  freeSpaceOf,
  groupCommit,
  latestTime,
  type Need,
  transactions,
} from '@signalbox/platform-runtime/storage'
import { type Claimed, type ClaimedWork, workTable } from '@signalbox/platform-runtime/work'
import {
  type Carrier,
  type ChangedContent,
  carrierOf,
  type Destination,
  type MailStore,
  type NewMail,
  type NewRecipient,
  type PendingDelivery,
  type StoredMail,
} from '../mail-store.ts'
import { alreadyAccepted, decisionReplaced, storageFull } from '../mail-store-error.ts'
import {
  deliveryData,
  deliveryOf,
  deliveryWork,
  invocationOf,
  invocationWork,
  postponedData,
  workQueues,
} from '../mail-work.ts'
import { earlyDecisionRows } from './early-decision-rows.ts'
import { prepareDatabase, timeColumns } from './layout.ts'
import { mailDamage } from './mail-damage.ts'
import { mailRows } from './mail-rows.ts'
import { queuedMails } from './queued-mails.ts'
import { recipientRows } from './recipient-rows.ts'
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
  return mailDamage.open(database, () => openStore(database, measure, durable))
}

function openStore(
  database: DatabaseSync,
  measure: typeof freeSpaceOf,
  durable: typeof durability,
): LocalMailStore {
  prepareDatabase(database)
  const onDisk = durable(database)
  const mails = mailRows(database)
  const recipients = recipientRows(database)
  const early = earlyDecisionRows(database)
  const space = measure(database)
  const write = transactions(database, storageFull, space)
  const share = groupCommit(write, onDisk)
  const latest = latestTime(database)
  const work = workTable(database, write, 'owner not in (select mail from held)')
  const countStates = database.prepare('select state, count(*) as count from recipients group by state')
  const countHeld = database.prepare('select count(*) as count from held')
  const awaited = database.prepare(
    `select distinct queue from work where queue like '${workQueues.decisions}%'`,
  )
  /** The latest mail before this start. A process that was killed might have attempted to deliver any mail up to it. */
  const lastBeforeStart = mails.last()

  // Accepted mail is decided on and delivered even when the disk is full, because that lets the store forget it. Only
  // a content that a function changes needs space.
  const change = <T>(now: number, run: () => T, need: Need = 'essential'): Promise<T> =>
    share(() => {
      latest.write(now)
      return run()
    }, need)

  const insert = (mail: NewMail) => {
    mails.insert(mail)
    for (const { id, rule } of mail.invocations) work.put(invocationWork(mail.id, id, rule), mail.receivedAt)
    for (const each of mail.recipients) insertRecipient(mail.id, each, mail.receivedAt)
  }

  const insertRecipient = (mail: string, recipient: NewRecipient, dueAt: number) => {
    recipients.insert(mail, recipient)
    if (recipient.destination !== undefined) requestDelivery(mail, recipient.destination, dueAt)
  }

  const requestDelivery = (mail: string, destination: Destination, dueAt: number) => {
    work.putOrHasten(deliveryWork(mail, carrierOf(destination)), dueAt)
  }

  /** Changes the content for the recipients of an invocation. Returns the id of the mail that they have then. */
  const changeContent = (mail: string, invocation: string, changed: ChangedContent): string => {
    if (!recipients.hasOthers(mail, invocation)) {
      mails.change(mail, changed)
      return mail
    }
    mails.split(mail, changed)
    recipients.move(mail, invocation, changed.splitId)
    return changed.splitId
  }

  const waitingFor = (mail: string, carrier: Carrier) =>
    recipients.delivering(mail).filter(({ destination }) => carrierOf(destination!) === carrier)

  /** Claims work with its mail. Another process can delete a mail at any time. */
  const claim = <Pending>(
    queue: string,
    now: number,
    limit: number,
    pending: (claimed: ClaimedWork, of: StoredMail) => Pending,
  ): Claimed<Pending> => {
    const { work: claimed, nextAt } = work.claim(queue, now, limit)
    const found = claimed.flatMap(each => {
      const of = mails.get(each.owner)
      if (of !== undefined) return [pending(each, of)]
      work.release(each)
      return []
    })
    return { work: found, nextAt }
  }

  const pendingDelivery = (claimed: ClaimedWork, of: StoredMail): PendingDelivery => {
    const delivery = deliveryOf(claimed)
    const repeated = delivery.attempts > 0 || claimed.tries > 1 || of.sequence <= lastBeforeStart
    return { ...delivery, of, repeated, recipients: waitingFor(of.id, delivery.carrier) }
  }

  return {
    ...queuedMails(database, async change => {
      const done = write(change, 'essential')
      await onDisk()
      return done
    }),

    async accept(
      mail,
      { decisions, report, others = [], keepsContents = false } = { decisions: [], report: undefined },
    ) {
      const further = [...others, ...(report === undefined ? [] : [report])]
      await change(
        mail.receivedAt,
        () => {
          if (mails.has(mail.id)) return
          if (!decisions.every(early.isKept)) throw decisionReplaced()
          for (const each of decisions)
            if (!early.store(each, mail.id, keepsContents)) throw alreadyAccepted()
          for (const each of [mail, ...further]) insert(each)
        },
        { kind: kindOf(mail), bytes: further.reduce((sum, { raw }) => sum + raw.length, mail.raw.length) },
      )
    },

    earlyDecisions: async (keys, now) => keys.flatMap(key => early.read(key, now) ?? []),
    async rememberEarly(attempt, now) {
      const bytes = (attempt.decision?.length ?? 0) + (attempt.raw?.length ?? 0)
      const need: Need = { kind: 'anonymous', bytes }
      return change(now, () => early.put(attempt, now), need)
    },
    forgetEarly: async until => write(() => early.forget(until), 'essential'),

    raw: async id => mails.raw(id),
    states: async () => mailStates(database),
    counts: async () => ({
      recipients: Object.fromEntries(
        countStates.all().map(({ state, count }) => [String(state), Number(count)]),
      ),
      held: Number(countHeld.get()!.count),
    }),
    awaitedFunctions: async () =>
      awaited.all().map(({ queue }) => String(queue).slice(workQueues.decisions.length)),

    claimInvocations: async (functionName, now, limit) =>
      claim(workQueues.decisions + functionName, now, limit, (claimed, of) => ({
        ...invocationOf(claimed),
        of,
        recipients: recipients.ofInvocation(of.id, claimed.key),
      })),

    async postponeInvocation(invocation, how, now) {
      await change(now, () => work.retry(invocation.work, postponedData(invocation, how), how.nextAt))
      work.release(invocation.work)
    },

    async concludeInvocation({ id, mail, work: claimed }, { dispositions, added, report, changed }, now) {
      // A new content can be as large as a mail. Without space for it the mail waits, and the reserve stays for others.
      const need: Need = changed === undefined ? 'essential' : { bytes: changed.raw.length }
      const conclude = () => {
        if (!work.finish(claimed)) return
        const target = changed === undefined ? mail : changeContent(mail, id, changed)
        for (const { recipient, ...disposition } of dispositions) {
          recipients.decided(recipient, disposition)
          if (disposition.destination !== undefined) requestDelivery(target, disposition.destination, now)
        }
        for (const each of added)
          if (!recipients.has(mail, each.address) && !recipients.has(target, each.address))
            insertRecipient(target, each, now)
        if (report !== undefined) insert(report)
      }
      await change(now, conclude, need)
      work.release(claimed)
    },

    claimDeliveries: async (carrier, now, limit) =>
      claim(workQueues.deliveries + carrier, now, limit, pendingDelivery),

    async concludeDelivery(
      { mail, carrier, work: claimed },
      attempts,
      { dispositions, report },
      nextAt,
      now,
    ) {
      await change(now, () => {
        if (!mails.has(mail)) return
        for (const { recipient, ...disposition } of dispositions) recipients.attempted(recipient, disposition)
        const tried = new Set(dispositions.map(({ recipient }) => recipient))
        const waiting = waitingFor(mail, carrier)
        if (waiting.length === 0) work.finish(claimed)
        // Recipients that were decided on during the attempt were not part of the attempt, so their delivery is due
        // at once.
        else
          work.retry(claimed, deliveryData(attempts), waiting.every(({ id }) => tried.has(id)) ? nextAt : now)
        if (report !== undefined) insert(report)
      })
      work.release(claimed)
    },

    giveBack: async (claimed, dueAt) => work.release(claimed, dueAt),
    async unclaim(claimed) {
      await share(() => work.uncount(claimed), 'essential')
      work.release(claimed)
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
        for (const table of ['mails', 'work', 'recipients', 'held', 'early_decisions'])
          database.exec(`delete from ${table}`)
      }, 'essential')
      space.returnPages()
    },
    close: async () => database.close(),
  }
}

/** Anyone may send mail to the platform's own domains. Senders of other mail have an identity, or use this machine. */
function kindOf({ recipients, report }: NewMail) {
  return !report && recipients.every(({ direction }) => direction === 'INBOUND') ? 'anonymous' : 'data'
}
