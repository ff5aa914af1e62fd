import type { Clock } from '@signalbox/core'
import { RefusedError } from '@signalbox/platform-runtime/console'
import type { QueuesSettings } from '../config/queues-part.ts'
import type { OpenQueues } from '../open-queues.ts'
import { isFifoName } from '../store/queue-name.ts'
import { QueueStoreError } from '../store/queue-store-error.ts'
import { attributeTexts } from '../wire/queue-attribute-names.ts'
import type { ConsoleQueues } from './queue-port.ts'

/**
 * Returns the console's access to the queues of this platform, but not to queues in other engines, which have their own
 * tools.
 */
export function consoleQueues(
  { queues }: QueuesSettings,
  opened: () => OpenQueues | undefined,
  clock: Clock,
): ConsoleQueues {
  const store = () => {
    const open = opened()
    if (open === undefined) throw new RefusedError('The platform has not started its queues.')
    return open.store
  }
  const functionsOf = (name: string) =>
    queues.find(each => each.name === name)?.functions.map(({ functionName }) => functionName) ?? []

  const send: ConsoleQueues['send'] = (queue, { body, attributes = {}, delay, group, deduplicationId }) =>
    refusing(async () => {
      const [sent] = await store().send(queue, [
        {
          body,
          group,
          attributes: Object.fromEntries(
            Object.entries(attributes).map(([name, stringValue]) => [
              name,
              { dataType: 'String', stringValue },
            ]),
          ),
          deduplicationId: deduplicationId ?? (isFifoName(queue) ? crypto.randomUUID() : undefined),
          delay: delay === undefined ? undefined : delay * 1000,
          sender: 'console',
        },
      ])
      if (sent instanceof QueueStoreError) throw sent
      return sent!.messageId
    })

  return {
    async list() {
      return Promise.all(
        (await store().reports()).map(async report => {
          const { name } = report
          const attributes = await store().attributes(name)
          return {
            ...report,
            isFifo: isFifoName(name),
            functions: functionsOf(name),
            deadLetter: attributes.deadLetter && { ...attributes.deadLetter },
            sources: await store().sourcesOf(name),
            attributes: attributeTexts(name, attributes, queue => queue),
          }
        }),
      )
    },

    async peek(queue, { after, last }) {
      const now = clock.now()
      const messages = await store().peek(queue, last, after)
      return messages?.map(({ isReceived, group, deduplicationId, deadLetterSource, ...message }) => ({
        ...message,
        state: message.visibleAt <= now ? 'visible' : isReceived ? 'in flight' : 'delayed',
        ...{ group, deduplicationId, deadLetterSource },
      }))
    },

    send,

    resend: (queue, position, message) =>
      refusing(async () => {
        const [letter] = (await store().peek(queue, 1, position - 1)) ?? []
        if (letter?.position !== position || letter.visibleAt > clock.now())
          throw new RefusedError('The message is not in the queue any more, or a receiver has it.')
        const [only, ...others] = await store().sourcesOf(queue)
        const target = letter.deadLetterSource ?? (others.length === 0 ? only : undefined)
        if (target === undefined)
          throw new RefusedError(
            'The message came from no other queue, so that it is not known where to send it.',
          )
        // In this order, a failure between the steps leaves two copies of the message instead of none.
        const messageId = await send(target, message)
        await store().discard(queue, position)
        return messageId
      }),

    purge: queue => refusing(() => store().purge(queue)),
    redrive: (queue, perSecond) => refusing(() => store().startMove(queue, { perSecond })),
    redrives: queue =>
      refusing(async () =>
        (await store().moves(queue)).map(
          ({ task, status, moved, toMove, perSecond, failure, startedAt }) => ({
            ...{ task, status, moved, toMove, startedAt },
            perSecond: perSecond ?? undefined,
            failure: failure ?? undefined,
          }),
        ),
      ),
    stopRedrive: (queue, task) => refusing(() => store().cancelMove(queue, task)),
  }
}

/** Runs a function, and converts errors of the queue store to errors of the console's port. */
async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof QueueStoreError) throw new RefusedError(error.message, { cause: error })
    throw error
  }
}
