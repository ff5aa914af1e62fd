import type { OpenContext } from '@signalbox/platform-runtime'
import { invokeListener } from './api/listener.ts'
import type { InvokeSettings } from './config/invoke-part.ts'
import { eventRunner } from './events/event-runner.ts'
import type { EventStore } from './store/event-store.ts'

export interface OpenInvokeApi {
  readonly url: string
  /** The events that wait, or run. */
  readonly store: EventStore
  readonly stop: (grace: number) => Promise<void>
}

/** Starts the listener, and runs the events that were accepted before the start. */
export async function openInvokeApi(
  settings: InvokeSettings,
  store: EventStore,
  context: OpenContext,
): Promise<OpenInvokeApi> {
  const { notice } = context
  const { functions, location } = settings
  const runners = new Map(
    functions.map(each => [each.functionName, eventRunner({ ...each, location }, store, context)]),
  )
  const listener = invokeListener(settings, {
    ...context,
    clock: context.machineClock,
    store,
    accepted: name => runners.get(name)?.wake(),
  })
  try {
    for (const [name, count] of await store.counts())
      if (!runners.has(name))
        notice(`${count} events wait for the function ${name}, which the configuration does not have.`)
    const url = await listener.start()
    for (const each of runners.values()) each.wake()
    return {
      url,
      store,
      async stop(grace) {
        const ended = listener.stop(grace)
        await Promise.all([ended, ...[...runners.values()].map(each => each.stop(grace))])
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
