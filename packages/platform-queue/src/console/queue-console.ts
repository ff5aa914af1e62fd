import type { SourceContext } from '@signalbox/platform-runtime'
import { ApiError, type ConsolePart, type ConsoleView, found } from '@signalbox/platform-runtime/console'
import type { QueuesSettings } from '../config/queues-part.ts'
import type { OpenQueues } from '../open-queues.ts'
import { consoleQueues } from './console-queues.ts'
import { queuePages } from './queue-pages.ts'
import type { ConsoleQueues, QueueState } from './queue-port.ts'
import { queueRoutes } from './queue-routes.ts'

/** The maximum number of messages that are shown at once. */
const mostPeeked = 200

/** The maximum number of past states that are kept. */
const mostStates = 600

/** The states of the queues at one time. */
interface QueueStates {
  readonly at: number
  readonly queues: readonly QueueState[]
}

/**
 * Returns what queues bring to the console.
 * @param used undefined for a configuration without queues
 */
export function queueConsole(
  used: { readonly settings: QueuesSettings; readonly opened: () => OpenQueues | undefined } | undefined,
  { clock, machineClock }: Pick<SourceContext, 'clock' | 'machineClock'>,
): ConsolePart<typeof queueRoutes> {
  const queues = used && consoleQueues(used.settings, used.opened, clock)
  /** The states that were read while visitors were connected, oldest first. */
  const history: QueueStates[] = []
  return {
    name: 'queues',
    isUsed: queues !== undefined,
    pages: queuePages,
    routes: queueRoutes,
    handlers: view => queueHandlers(queues, history, view),
    async wrong() {
      const states = (await queues?.list()) ?? []
      // Dead letters stay wrong until they are redriven or deleted.
      const counts = states
        .filter(({ sources }) => sources.length > 0)
        .map(({ visible, inFlight, delayed }) => visible + inFlight + delayed)
      return counts.reduce((sum, count) => sum + count, 0)
    },
    async live() {
      const at = machineClock.wall()
      const states = await queues?.list().catch(() => undefined)
      if (states !== undefined) history.push({ at, queues: states })
      if (history.length > mostStates) history.shift()
      return states
    },
  }
}

function queueHandlers(
  port: ConsoleQueues | undefined,
  history: readonly QueueStates[],
  { invocations }: ConsoleView,
): ReturnType<ConsolePart<typeof queueRoutes>['handlers']> {
  const queues = (): ConsoleQueues => found(port, 'queue: the configuration has none')
  const named = async (name: string) =>
    found(
      (await queues().list()).find(each => each.name === name),
      `queue ${name}`,
    )

  return {
    queues: async () => port?.list() ?? [],
    queue: ({ params }) => named(params.name),
    async queueHistory({ params }) {
      await named(params.name)
      return history.flatMap(({ at, queues: states }) => {
        const state = states.find(({ name }) => name === params.name)
        return state === undefined ? [] : [{ at, state }]
      })
    },
    async queueMessages({ params, query: { after = 0, last = 50 } }) {
      const page = { after, last: Math.min(last, mostPeeked) }
      return found(await queues().peek(params.name, page), `queue ${params.name}`)
    },
    messageInvocations: ({ params }) => invocations({ text: params.id, families: ['queue'], last: 20 }),
    async sendMessage({ params, body }) {
      await named(params.name)
      return { messageId: await queues().send(params.name, body) }
    },
    async resendMessage({ params: { name, position }, body }) {
      await named(name)
      if (!/^\d{1,15}$/.test(position)) throw new ApiError(400, `The position ${position} is not a number.`)
      return { messageId: await queues().resend(name, Number(position), body) }
    },
    async purgeQueue({ params, body }) {
      await named(params.name)
      if (body.confirm !== params.name)
        throw new ApiError(400, `To purge the queue, confirm must be its name, ${params.name}.`)
      await queues().purge(params.name)
    },
    async redrives({ params }) {
      await named(params.name)
      return queues().redrives(params.name)
    },
    async startRedrive({ params, body }) {
      await named(params.name)
      return { task: await queues().redrive(params.name, body.perSecond) }
    },
    async stopRedrive({ params }) {
      return { moved: await queues().stopRedrive(params.name, params.task) }
    },
  }
}
