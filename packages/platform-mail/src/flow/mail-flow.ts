import { addressKey } from '@signalbox/mail-flow/contract'
import { randomUuid, type SourceContext } from '@signalbox/platform-runtime'
import { activeSpan, toTraceparent } from '@signalbox/platform-runtime/traces'
import { type DueWork, type Worker, worker } from '@signalbox/platform-runtime/work'
import type { OfferedMail } from '../api/decision.ts'
import type { Accept } from '../api/listener.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import type { Mailboxes } from '../mailboxes/mailboxes.ts'
import type { NextServers } from '../relay/next-servers.ts'
import type { Carrier, Delivery, Invocation, MailStore, NewMail } from '../store/mail-store.ts'
import { isAlreadyAccepted, MailStoreError } from '../store/mail-store-error.ts'
import { acceptedMail } from './accepted-mail.ts'
import { changedParts } from './changed-parts.ts'
import { concurrencyOf } from './concurrency.ts'
import { type DecideBefore, decideBefore, type EarlyDecision } from './decide-before.ts'
import { deliveryAttempts } from './delivery-attempts.ts'
import { failureOf } from './disposition.ts'
import { invocations } from './invocations.ts'
import { invokeRule } from './invoke-rule.ts'
import { type MailChanges, mailChanges } from './mail-changes.ts'
import { passedMail } from './passed-mail.ts'
import { reports } from './reports.ts'

/** Processes accepted mail. */
export interface MailFlow {
  /** Starts or continues all due work. */
  readonly start: () => Promise<void>
  /** Makes the workers look for due work, after another process might have changed the mails. */
  readonly wake: () => void
  /** Decides on a mail that is not accepted yet. */
  readonly decide: DecideBefore
  /**
   * Stores a mail with the work that is due for it. Resolves when it is durable.
   * @throws MailStoreError when the disk is full, the flow has ended, or a mail was stored after the same decision in the
   * meantime. Nothing is stored then.
   */
  readonly accept: Accept
  /**
   * Does what is left to do for a mail that another server keeps: invokes asynchronous functions, and reports recipients
   * who bounce it. Resolves when this is durable.
   */
  readonly passed: (mail: OfferedMail, decision: EarlyDecision) => Promise<void>
  /**
   * Returns the text of a mail that is stored, or on which functions are deciding. A client that has changed the mail gets
   * what it has put until the function has decided.
   * @param client the name of the client of the message API. Absent for all others
   */
  readonly raw: (id: string, client?: string) => Promise<Buffer | undefined>
  /** Returns the attempt of a function that can change a mail now. */
  readonly changingAttempt: MailChanges['attempt']
  /**
   * Starts no more work. Clients that wait for a decision are asked to come again. Resolves when running work has ended, or
   * after `grace` milliseconds. The flow still accepts mail.
   */
  readonly stop: (grace: number) => Promise<void>
  /** Ends the flow. No more mail is accepted, and errors in work that is still running are not reported. */
  readonly end: () => void
}

/** The maximum number of concurrent deliveries by each carrier. */
const concurrentDeliveries = { mailbox: 4, relay: 4 } as const satisfies { readonly [K in Carrier]: number }

/**
 * The minimum number of milliseconds for which early decisions and failures are remembered, even if mails are forgotten
 * sooner. Clients send a mail again within hours.
 */
const clientsRetry = 24 * 60 * 60_000
/** Milliseconds between two deletions of old mails. */
const forgetInterval = 60 * 60_000
/** Milliseconds until the next deletion while there are more mails to delete. */
const forgetMoreInterval = 20

/**
 * Processes mail as a state machine. Workers claim due work from the store, invoke functions, deliver mail, and
 * store the results. See docs/contract/mail-flow.md#verdict and docs/decisions/mail.md#mail-of-the-platform.
 */
export function mailFlow(
  store: MailStore,
  settings: MailSettings,
  effects: { readonly mailboxes: Mailboxes; readonly servers: NextServers | undefined },
  context: SourceContext,
  changes: MailChanges = mailChanges(),
): MailFlow {
  const { clock, random, notice } = context
  const invoke = invokeRule(settings, changes, context)
  const reportsTo = reports(settings, context)
  const early = decideBefore(store, settings, invoke, context)
  const decide = invocations(store, settings, { invoke, reports: reportsTo }, context)
  const deliver = deliveryAttempts(store, settings, effects, reportsTo, context)
  let ended = false
  let stopped = false
  let stopForgetting = () => {}
  const failed = (error: unknown) => {
    if (!ended) notice(`mail: ${error instanceof Error ? error.message : String(error)}`)
  }

  const ends: Pick<DueWork<Invocation | Delivery>, 'giveBack' | 'unclaim'> = {
    giveBack: ({ work }, dueAt, now) => store.giveBack(work, dueAt, now),
    unclaim: ({ work }) => store.unclaim(work),
  }

  const carriers = (['mailbox', 'relay'] as const).map(carrier =>
    worker(
      {
        concurrency: concurrentDeliveries[carrier],
        claim: (now, limit) => store.claimDeliveries(carrier, now, limit),
        async run(delivery) {
          const hasReport = await deliver(delivery)
          if (hasReport) wakeCarriers()
        },
        ...ends,
        failed,
      },
      context,
    ),
  )
  const wakeCarriers = () => {
    for (const each of carriers) each.wake()
  }

  const callers: Worker[] = []
  const callerOf = (functionName: string): Worker =>
    worker(
      {
        concurrency: concurrencyOf(functionName, settings),
        claim: (now, limit) => store.claimInvocations(functionName, now, limit),
        async run(invocation) {
          await decide(invocation)
          wakeCarriers()
        },
        ...ends,
        failed,
      },
      context,
    )

  const forget = async () => {
    let hasMore = false
    try {
      const now = clock.now()
      const more = await store.forgetEarly(now - Math.max(settings.retention, clientsRetry))
      hasMore = (await store.forget(now - settings.retention)) || more
    } catch (error) {
      failed(error)
    }
    if (stopped) return
    stopForgetting = clock.after(hasMore ? forgetMoreInterval : forgetInterval, () => void forget())
  }

  /**
   * Stores a mail on which functions have decided, with a mail of its own for each further content. Its sender gets a report
   * about the recipients for which it bounces.
   */
  const acceptDecided = async (
    raw: Buffer,
    [mail, ...others]: readonly [NewMail, ...NewMail[]],
    { recipients, added }: EarlyDecision,
    keepsContents = false,
  ) => {
    const decisions = new Map(recipients.map(each => [addressKey(each.address), each]))
    const failures = [mail, ...others].flatMap(of =>
      of.recipients.map(each => {
        const decision = decisions.get(addressKey(each.address))
        return decision?.kind === 'decided'
          ? { ...failureOf({ ...decision, address: each.address }, decision.failed), ...each, of }
          : { status: '', text: undefined, ...each, of }
      }),
    )
    const { dispositions, report } = await reportsTo(mail, async () => raw, failures)
    const reported = (of: NewMail) => ({ ...of, recipients: dispositions.filter(each => each.of === of) })
    const names = [...recipients, ...added].flatMap(each => ('name' in each ? (each.name ?? []) : []))
    const byKey = new Map(names.map(name => [name.key, name]))
    const decided = { decisions: [...byKey.values()], report, others: others.map(reported), keepsContents }
    await store.accept(reported(mail), decided)
  }

  const wake = () => {
    for (const each of callers) each.wake()
    wakeCarriers()
  }

  return {
    async start() {
      // Mail might still be waiting for functions of an earlier configuration.
      const names = new Set(settings.rules.map(({ functionName }) => functionName))
      for (const name of await store.awaitedFunctions()) names.add(name)
      for (const name of names) callers.push(callerOf(name))
      void forget()
      wake()
    },

    wake,

    decide: early.decide,
    raw: async (id, client) =>
      (client === undefined ? undefined : changes.raw(id, client)) ?? early.raw(id) ?? store.raw(id),
    changingAttempt: changes.attempt,

    async accept(accepted, decided) {
      const span = activeSpan()
      const incoming =
        span === undefined
          ? accepted
          : { ...accepted, facts: { ...accepted.facts, trace: toTraceparent(span) } }
      if (ended) throw new MailStoreError('STOPPED', 'The mail server is stopping.')
      const at = { now: clock.now(), random }
      if (decided === undefined) await store.accept(acceptedMail(incoming, settings, at))
      else {
        const [first, ...further] = changedParts(decided).map((part, place) => {
          const id = place === 0 ? incoming.id : randomUuid(random)
          const own = { ...incoming, id, raw: part.raw ?? incoming.raw }
          return acceptedMail(own, settings, at, part.decided)
        })
        await acceptDecided(incoming.raw, [first!, ...further], decided)
      }
      wake()
    },

    async passed(offered, decision) {
      const left = passedMail(offered, decision, settings, { now: clock.now(), random })
      if (left === undefined) return
      try {
        await acceptDecided(offered.raw, [left.mail], left.decided, true)
      } catch (error) {
        // Another connection has brought the same mail at the same time.
        if (!isAlreadyAccepted(error)) throw error
      }
      wake()
    },

    async stop(grace) {
      stopped = true
      stopForgetting()
      await Promise.all([early, ...callers, ...carriers].map(each => each.stop(grace)))
    },

    end() {
      ended = true
    },
  }
}
