import type { Executions, OpenContext } from '@signalbox/platform-runtime'
import type { WorkQueue } from '@signalbox/platform-runtime/work'
import { invokeListener } from './api/listener.ts'
import type { InvokeSettings } from './config/invoke-part.ts'
import { eventRunner } from './events/event-runner.ts'
import { type Executions as OpenExecutions, openExecutions } from './executions/executions.ts'
import { sourceExecutions } from './executions/source-executions.ts'
import { type NewEvent, workOf } from './store/event-store.ts'
import type { ExecutionStore } from './store/execution-store.ts'
import { callQueue } from './store/execution-work.ts'

export interface OpenInvokeApi {
  readonly url: string
  /** The events that wait, or run. */
  readonly queue: WorkQueue
  /** Removes all executions, if no other platform has a share in them. */
  readonly clearExecutions: () => Promise<void>
  /** The executions for other sources. Undefined without durable functions. */
  readonly executions: Executions | undefined
  /** The executions with all that is known of them and can be done to them. Undefined without durable functions. */
  readonly allExecutions: OpenExecutions | undefined
  readonly stop: (grace: number) => Promise<void>
}

/**
 * Starts the listener, and runs the events and executions that were accepted before the start.
 * @param listening called with the URL of the listener before a function runs
 */
export async function openInvokeApi(
  settings: InvokeSettings,
  {
    queue,
    executions: store,
  }: { readonly queue: WorkQueue; readonly executions: ExecutionStore | undefined },
  context: OpenContext,
  listening: (url: string) => void,
): Promise<OpenInvokeApi> {
  let isStopping = false
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
  const called = functions.map(each => ({ ...each, location }))
  const executions = store && openExecutions(called, store, context, context.engine !== undefined)
  const listener = invokeListener(settings, {
    ...context,
    clock: context.machineClock,
    accept,
    executions,
    queues: () => context.services.queues,
    isStopping: () => isStopping,
  })
  try {
    for (const [name, count] of await queue.counts())
      if (!runners.has(name))
        notice(`${count} events wait for the function ${name}, which the configuration does not have.`)
    for (const text of await strandedExecutions(settings, store)) notice(text)
    const url = await listener.start()
    listening(url)
    executions?.wake()
    const stopWatching = queue.watch(wake)
    wake()
    return {
      url,
      queue,
      clearExecutions: async () => executions?.clear(),
      executions: executions && sourceExecutions(executions, location, context),
      allExecutions: executions,
      async stop(grace) {
        stopWatching()
        isStopping = true
        const end = context.machineClock.now() + grace
        const ends = [...runners.values()].map(each => each.stop(grace))
        // Durable functions that run still have to reach the listener with what they have done.
        if (executions === undefined) ends.push(listener.stop(grace))
        await Promise.all([executions?.stop(grace), ...ends])
        if (executions !== undefined) await listener.stop(Math.max(0, end - context.machineClock.now()))
        await executions?.close()
        await queue.close()
      },
    }
  } catch (error) {
    await executions?.stop(0)
    await executions?.close()
    await queue.close()
    throw error
  }
}

/** Returns sentences about executions that no function of the configuration goes on with. */
async function strandedExecutions(
  { functions }: InvokeSettings,
  store: ExecutionStore | undefined,
): Promise<readonly string[]> {
  const known = new Set(
    functions.flatMap(({ functionName, durable }) => [
      callQueue(functionName),
      ...(durable === undefined ? [] : [functionName]),
    ]),
  )
  const counts = [...((await store?.counts()) ?? [])]
  return counts
    .filter(([queue]) => !known.has(queue))
    .map(
      ([queue, count]) =>
        `${count} executions wait for ${queue}, which is not a durable function of the configuration.`,
    )
}
