import type { QueueSender, SourceContext } from '@signalbox/platform-runtime'
import { activeSpan, toTraceHeader } from '@signalbox/platform-runtime/traces'
import { queueListener } from './api/listener.ts'
import type { QueuesSettings } from './config/queues-part.ts'
import { createQueues } from './create-queues.ts'
import { type Poller, poller } from './poller/poller.ts'
import { connect } from './remote/connect.ts'
import { withWaitsOf } from './store/client-waits.ts'
import type { OwnQueueStore } from './store/own-queue-store.ts'
import type { QueueStore } from './store/queue-store.ts'
import { QueueStoreError } from './store/queue-store-error.ts'
import { tracedStore } from './traced-store.ts'

/** The open queues of a platform, with their listener and pollers. */
export interface OpenQueues extends Pick<QueueSender, 'send'> {
  readonly url: string
  /** The queues of this platform. */
  readonly store: OwnQueueStore
  /** Forgets that functions failed, and the delays that follow from it. */
  readonly resetPollers: () => void
  readonly stop: (grace: number) => Promise<void>
}

/**
 * The wait of a receive request while a test moves the time. A test that moves it by a year would otherwise make each
 * poller ask a million times for nothing.
 */
const endless = Number.POSITIVE_INFINITY

/** Creates missing queues, and starts the listener and the pollers. */
export async function openQueues(
  { queues, queueListener: address, location }: QueuesSettings,
  ownStore: OwnQueueStore,
  context: SourceContext,
): Promise<OpenQueues> {
  const { machineClock, traces } = context
  const store = traces === undefined ? ownStore : tracedStore(ownStore, traces)
  const isOneClock = context.clock === machineClock
  const stores: QueueStore[] = [store]
  const elsewhere = new Map<string, QueueStore>()
  const listener =
    address &&
    queueListener(address, withWaitsOf(store, context), context.random, {
      ...context,
      clock: machineClock,
      location,
    })
  const pollers: Poller[] = []
  const close = async () => {
    await listener?.stop()
    await Promise.all(stores.map(each => each.close()))
  }
  try {
    await createQueues(queues, store)
    for (const { name, engine, ...how } of queues) {
      const connected = engine === undefined ? store : await connect(engine)
      const engineStore =
        traces === undefined || engine === undefined ? connected : tracedStore(connected, traces)
      if (engine !== undefined) {
        stores.push(engineStore)
        elsewhere.set(name, engineStore)
      }
      if (how.functions.length > 0)
        pollers.push(
          poller(
            {
              queue: name,
              location,
              ...how,
              ...(engine === undefined && !isOneClock && { idleWait: endless }),
            },
            engineStore,
            context,
          ),
        )
    }
    const url = listener === undefined ? 'other engines' : await listener.start()
    for (const each of pollers) each.start()
    return {
      url,
      store,
      resetPollers() {
        for (const each of pollers) each.reset()
      },
      async send(queue, body) {
        const sender = activeSpan()
        const message = { body, traceHeader: sender && toTraceHeader(sender) }
        const [sent] = await (elsewhere.get(queue) ?? store).send(queue, [message])
        if (sent instanceof QueueStoreError) throw sent
      },
      async stop(grace) {
        await Promise.all(pollers.map(each => each.stop(grace)))
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}
