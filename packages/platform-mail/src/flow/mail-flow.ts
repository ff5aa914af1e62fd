import type { SourceContext } from '@signalbox/platform-runtime'
import { type DueWork, type Worker, worker } from '@signalbox/platform-runtime/work'
import type { IncomingMail } from '../api/listener.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import type { Mailboxes } from '../mailboxes/mailboxes.ts'
import { mailHead } from '../message/mail-head.ts'
import type { Relay } from '../relay/relay.ts'
import type { Carrier, Delivery, Invocation, MailStore } from '../store/mail-store.ts'
import { MailStoreError } from '../store/mail-store-error.ts'
import { acceptedMail } from './accepted-mail.ts'
import { deliveryAttempts } from './delivery-attempts.ts'
import { invocations } from './invocations.ts'

/** Processes accepted mail. */
export interface MailFlow {
  /** Starts or continues all due work. */
  readonly start: () => Promise<void>
  /** Makes the workers look for due work, after another process might have changed the mails. */
  readonly wake: () => void
  /**
   * Stores a mail with the work that is due for it. Resolves when it is durable.
   * @throws MailStoreError when the disk is full or the flow has ended. Nothing is stored then.
   */
  readonly accept: (mail: IncomingMail) => Promise<void>
  /**
   * Starts no more work. Resolves when running work has ended, or after `grace` milliseconds. The flow still accepts
   * mail.
   */
  readonly stop: (grace: number) => Promise<void>
  /** Ends the flow. No more mail is accepted, and errors in work that is still running are not reported. */
  readonly end: () => void
}

/** The maximum number of concurrent invocations of one function, even if it has more instances. */
const concurrentInvocations = 8
/** The maximum number of concurrent deliveries by each carrier. */
const concurrentDeliveries = { mailbox: 4, relay: 4 } as const satisfies { readonly [K in Carrier]: number }

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
  effects: { readonly mailboxes: Mailboxes; readonly relay: Relay | undefined },
  context: SourceContext,
): MailFlow {
  const { clock, random, notice } = context
  const decide = invocations(store, settings, context)
  const deliver = deliveryAttempts(store, settings, effects.mailboxes, effects.relay, context)
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
          await deliver(delivery)
          // The delivery might have added a report, which is due now.
          wakeCarriers()
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
        concurrency: Math.min(
          concurrentInvocations,
          settings.functions.get(functionName) ?? concurrentInvocations,
        ),
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
      hasMore = await store.forget(clock.now() - settings.retention)
    } catch (error) {
      failed(error)
    }
    if (stopped) return
    stopForgetting = clock.after(hasMore ? forgetMoreInterval : forgetInterval, () => void forget())
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

    async accept(incoming) {
      const head = mailHead(incoming.raw)
      if (ended) throw new MailStoreError('STOPPED', 'The mail server is stopping.')
      const mail = acceptedMail(incoming, head, settings, { now: clock.now(), random })
      await store.accept(mail)
      wake()
    },

    async stop(grace) {
      stopped = true
      stopForgetting()
      await Promise.all([...callers, ...carriers].map(each => each.stop(grace)))
    },

    end() {
      ended = true
    },
  }
}
