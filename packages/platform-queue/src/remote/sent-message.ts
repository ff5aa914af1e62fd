import type { NewMessage } from '../store/queue-store.ts'

/** Converts a message for the store into an entry of the AWS client's request. */
export function sentMessage({
  body,
  attributes = {},
  delay,
  group,
  deduplicationId,
  traceHeader,
}: NewMessage) {
  return {
    MessageBody: body,
    ...(Object.keys(attributes).length > 0 && {
      MessageAttributes: Object.fromEntries(
        Object.entries(attributes).map(([name, { dataType, stringValue, binaryValue }]) => [
          name,
          {
            DataType: dataType,
            ...(stringValue !== undefined && { StringValue: stringValue }),
            ...(binaryValue !== undefined && { BinaryValue: Buffer.from(binaryValue, 'base64') }),
          },
        ]),
      ),
    }),
    ...(traceHeader !== undefined && {
      MessageSystemAttributes: { AWSTraceHeader: { DataType: 'String', StringValue: traceHeader } },
    }),
    ...(delay !== undefined && { DelaySeconds: Math.ceil(delay / 1000) }),
    ...(group !== undefined && { MessageGroupId: group }),
    ...(deduplicationId !== undefined && { MessageDeduplicationId: deduplicationId }),
  }
}
