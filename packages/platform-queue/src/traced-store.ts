import { activeSpan, type Traces, toTraceHeader } from '@signalbox/platform-runtime/traces'
import { senderOf } from './poller/batch-cause.ts'
import type { NewMessage, QueueStore } from './store/queue-store.ts'
import { QueueStoreError } from './store/queue-store-error.ts'

const system = { 'messaging.system': 'aws_sqs' }

/**
 * Returns the store with a span for each message that is sent, and for each deletion. A message without a trace header
 * gets one, so that what happens to it belongs to its sending.
 */
export function tracedStore<Store extends QueueStore>(store: Store, traces: Traces): Store {
  return {
    ...store,
    async send(queue: string, messages: readonly NewMessage[]) {
      const startedAt = traces.now()
      const started = messages.map(message => {
        const parent = senderOf(message) ?? activeSpan()
        return { parent, span: traces.start({ parent }) }
      })
      const sent = await store.send(
        queue,
        messages.map((message, at) => ({
          ...message,
          traceHeader: message.traceHeader ?? toTraceHeader(started[at]!.span),
        })),
      )
      for (const [at, { parent, span }] of started.entries()) {
        const result = sent[at]
        const failed = result instanceof QueueStoreError
        traces.end(span, {
          ...{ name: `send ${queue}`, kind: 'producer', parent, startedAt },
          attributes: {
            ...{ ...system, 'messaging.operation.name': 'send', 'messaging.operation.type': 'send' },
            'messaging.destination.name': queue,
            'messaging.message.id': failed ? undefined : result?.messageId,
          },
          error: failed ? result.code : undefined,
        })
      }
      return sent
    },
    async deleteMessages(queue: string, receiptHandles: readonly string[]) {
      const startedAt = traces.now()
      const answers = await store.deleteMessages(queue, receiptHandles)
      if (receiptHandles.length > 0)
        traces.record({
          ...{ name: `delete ${queue}`, kind: 'client', parent: activeSpan(), startedAt },
          attributes: {
            ...{ ...system, 'messaging.operation.name': 'delete', 'messaging.operation.type': 'settle' },
            'messaging.destination.name': queue,
            'messaging.batch.message_count': receiptHandles.length,
          },
          error: answers.find(each => each !== undefined)?.code,
        })
      return answers
    },
  }
}
