import {
  type Cause,
  fromTraceHeader,
  fromTraceparent,
  type RemoteSpan,
  type Traces,
  traceIdOf,
} from '@signalbox/platform-runtime/traces'
import type { NewMessage, ReceivedMessage } from '../store/queue-store.ts'

/** The maximum number of links, as in the SDKs of OpenTelemetry. */
const mostLinks = 128

type Message = Pick<
  ReceivedMessage,
  'messageId' | 'receiveCount' | 'sentAt' | 'firstReceivedAt' | 'traceHeader' | 'attributes'
>

/**
 * Returns the spans that caused a batch: how long each message waited, or its sender while no spans are sent. A batch is a
 * part of the trace of its messages if they have only one; otherwise it is linked to each of them.
 */
export function batchCause(batch: readonly Message[], queue: string, traces: Traces | undefined): Cause {
  const spans = batch.map(message => waited(message, queue, traces))
  const [first] = spans
  return spans.every(({ traceId }) => traceId === first!.traceId)
    ? { parent: first, links: spans.slice(1, mostLinks) }
    : { links: spans.slice(0, mostLinks), traceId: traceIdOf(batch[0]!.messageId) }
}

function waited(message: Message, queue: string, traces: Traces | undefined): RemoteSpan {
  const { messageId, receiveCount, sentAt, firstReceivedAt } = message
  const parent = senderOf(message)
  const traceId = traceIdOf(messageId)
  // All attempts of a message whose sender is unknown have one trace, which its id names.
  if (traces === undefined) return parent ?? { traceId, spanId: traceId.slice(16), isSampled: false }
  return traces.record({
    ...{ name: `wait ${queue}`, kind: 'consumer', parent, traceId },
    startedAt: receiveCount === 1 ? sentAt : firstReceivedAt,
    attributes: {
      'messaging.system': 'aws_sqs',
      'messaging.operation.name': 'receive',
      'messaging.operation.type': 'receive',
      'messaging.destination.name': queue,
      'messaging.message.id': messageId,
      'signalbox.attempt': receiveCount,
    },
  })
}

/** Returns the span that sent a message, from its trace header or from the attribute that OpenTelemetry's SDKs write. */
export function senderOf({
  traceHeader,
  attributes,
}: Pick<NewMessage, 'traceHeader' | 'attributes'>): RemoteSpan | undefined {
  return fromTraceHeader(traceHeader) ?? fromTraceparent(attributes?.traceparent?.stringValue)
}
