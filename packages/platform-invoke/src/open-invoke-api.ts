import type { OpenContext } from '@signalbox/platform-runtime'
import type { WorkQueue } from '@signalbox/platform-runtime/work'
import { invokeListener } from './api/listener.ts'
import type { InvokeSettings } from './config/invoke-part.ts'
import { eventRunner } from './events/event-runner.ts'
import { type NewEvent, workOf } from './store/event-store.ts'

export interface OpenInvokeApi {
  readonly url: string
  /** The events that wait, or run. */
  readonly queue: WorkQueue
  readonly stop: (grace: number) => Promise<void>
}

/** Starts the listener, and runs the events that were accepted before the start. */
export async function openInvokeApi(
  settings: InvokeSettings,
  queue: WorkQueue,
  context: OpenContext,
): Promise<OpenInvokeApi> {
  const { clock, notice } = context
  const { functions, location } = settings
  const runners = new Map(
    functions.map(each => [each.functionName, eventRunner({ ...each, location }, queue, context)]),
  )
  const accept = async (event: NewEvent) => {
    await queue.put(workOf(event), clock.now())
    runners.get(event.functionName)?.wake()
  }
  const wake = () => {
    for (const each of runners.values()) each.wake()
  }
  const listener = invokeListener(settings, { ...context, clock: context.machineClock, accept })
  try {
    for (const [name, count] of await queue.counts())
      if (!runners.has(name))
        notice(`${count} events wait for the function ${name}, which the configuration does not have.`)
    const url = await listener.start()
    const stopWatching = queue.watch(wake)
    wake()
    return {
      url,
      queue,
      async stop(grace) {
        stopWatching()
        const ended = listener.stop(grace)
        await Promise.all([ended, ...[...runners.values()].map(each => each.stop(grace))])
        await queue.close()
      },
    }
  } catch (error) {
    await queue.close()
    throw error
  }
}
