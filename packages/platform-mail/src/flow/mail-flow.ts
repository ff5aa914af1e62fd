import type { SourceContext } from '@signalbox/platform-runtime'
import type { IncomingMail } from '../api/listener.ts'
import type { MailSettings } from '../config/mail-settings.ts'
import type { Maildirs } from '../delivery/maildirs.ts'
import type { Relay } from '../delivery/relay.ts'
import { mailHead } from '../message/mail-head.ts'
import type { Carrier } from '../store/delivery-rows.ts'
import type { MailStore } from '../store/mail-store.ts'
import { MailStoreError } from '../store/mail-store-error.ts'
import { acceptedMail } from './accepted-mail.ts'
import { deliveries } from './deliveries.ts'
import { type Worker, worker } from './due-work.ts'
import { invocations } from './invocations.ts'

/** What becomes of mail from its acceptance on. */
export interface MailFlow {
  /** Goes on with everything that is due. */
  readonly start: () => void
  /** Looks for what is due, because another process may have changed it. */
  readonly wake: () => void
  /**
   * Stores a mail with all that is to become of it; resolves when that is on the disk.
   * @throws MailStoreError when the disk is full, and when it is stopped: nothing is stored then
   */
  readonly accept: (mail: IncomingMail) => Promise<void>
  /** Begins nothing more, and resolves when what is under way is done, or after `grace` milliseconds. Mail is still stored. */
  readonly stop: (grace: number) => Promise<void>
  /** From here on nothing is stored: what comes of work that is still under way counts as never made. */
  readonly end: () => void
}

/** Functions that are called at a time, however many instances they have, and mails that each carrier takes. */
const callsAtATime = 8
const deliveriesAtATime = { mailbox: 4, relay: 4 } as const satisfies { readonly [K in Carrier]: number }

/** Milliseconds between two looks for mail that may be forgotten, and while there is more of it. */
const forgetEvery = 60 * 60_000
const forgetMore = 20

/** The state machine of mail: a store, and workers that take what is due from it. Contract C. */
export function mailFlow(
  store: MailStore,
  settings: MailSettings,
  effects: { readonly maildirs: Maildirs; readonly relay: Relay | undefined },
  context: SourceContext,
): MailFlow {
  const { clock, random, notice } = context
  const decide = invocations(store, settings, context)
  const deliver = deliveries(store, settings, effects.maildirs, effects.relay, context)
  let over = false
  let stopForgetting = () => {}
  const failed = (error: unknown) => {
    if (!over) notice(`mail: ${error instanceof Error ? error.message : String(error)}`)
  }
  const carriers = (['mailbox', 'relay'] as const).map(carrier =>
    worker(
      {
        atATime: deliveriesAtATime[carrier],
        due: (now, most) => store.deliveries.due(carrier, now, most),
        nextAfter: now => store.deliveries.nextAfter(carrier, now),
        run: async mail => {
          await deliver(mail, carrier)
          wakeCarriers()
        },
        failed,
      },
      clock,
    ),
  )
  const wakeCarriers = () => {
    for (const each of carriers) each.wake()
  }
  const callers: Worker[] = []

  const callerOf = (name: string): Worker =>
    worker(
      {
        atATime: Math.min(callsAtATime, settings.functions.get(name) ?? callsAtATime),
        due: (now, most) => store.invocations.due(name, now, most),
        nextAfter: now => store.invocations.nextAfter(name, now),
        run: async id => {
          await decide(id)
          wakeCarriers()
        },
        failed,
      },
      clock,
    )

  const forget = () => {
    let more = false
    try {
      more = store.forget(clock.now() - settings.retention)
    } catch (error) {
      failed(error)
    }
    stopForgetting = clock.after(more ? forgetMore : forgetEvery, forget)
  }

  const wake = () => {
    for (const each of callers) each.wake()
    wakeCarriers()
  }

  return {
    start() {
      // Mail may still wait for functions of an older configuration.
      const names = new Set(settings.rules.map(({ functionName }) => functionName))
      for (const name of store.invocations.functions()) names.add(name)
      for (const name of names) callers.push(callerOf(name))
      forget()
      wake()
    },

    wake,

    async accept(incoming) {
      const head = mailHead(incoming.raw)
      if (over) throw new MailStoreError('STOPPED', 'The mail server is stopping.')
      const mail = acceptedMail(incoming, head, settings, { now: clock.now(), random })
      await store.accept(mail)
      wake()
    },

    async stop(grace) {
      stopForgetting()
      await Promise.all([...callers, ...carriers].map(each => each.stop(grace)))
    },

    end() {
      over = true
    },
  }
}
