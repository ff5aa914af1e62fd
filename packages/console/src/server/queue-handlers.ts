import type { ConsoleContext, ConsoleQueues, QueueState } from '@signalbox/platform-runtime/console'
import { ApiError, found } from './api-error.ts'
import type { Handlers } from './handlers.ts'
import { summaryOf } from './summary.ts'

type Names =
  | 'queues'
  | 'queue'
  | 'queueHistory'
  | 'queueMessages'
  | 'messageInvocations'
  | 'sendMessage'
  | 'resendMessage'
  | 'purgeQueue'
  | 'redrives'
  | 'startRedrive'
  | 'stopRedrive'

/** The maximum number of messages that are shown at once. */
const mostPeeked = 200

/** The states of the queues at one time. */
export interface QueueSample {
  readonly at: number
  readonly queues: readonly QueueState[]
}

/**
 * Returns the handlers of the routes about queues.
 * @param history returns the queue states that were recorded while visitors were connected, oldest first
 */
export function queueHandlers(
  { parts, invocationLog, families }: ConsoleContext,
  history: () => readonly QueueSample[],
): Pick<Handlers, Names> {
  const queues = (): ConsoleQueues => found(parts.queues, 'queue: the configuration has none')
  const named = async (name: string) =>
    found(
      (await queues().list()).find(each => each.name === name),
      `queue ${name}`,
    )

  return {
    queues: async () => (parts.queues === undefined ? [] : parts.queues.list()),
    queue: ({ params }) => named(params.name),
    async queueHistory({ params }) {
      await named(params.name)
      return history().flatMap(({ at, queues: states }) => {
        const state = states.find(({ name }) => name === params.name)
        return state === undefined ? [] : [{ at, state }]
      })
    },
    async queueMessages({ params, query: { after = 0, last = 50 } }) {
      const page = { after, last: Math.min(last, mostPeeked) }
      return found(await queues().peek(params.name, page), `queue ${params.name}`)
    },
    async messageInvocations({ params }) {
      const { entries, before } = await invocationLog.search({
        text: params.id,
        families: ['queue'],
        last: 20,
      })
      const known = await families()
      return { invocations: entries.map(entry => summaryOf(entry, known)), before }
    },
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
