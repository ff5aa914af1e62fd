import { isObject } from './translation/shape.ts'

/**
 * Adds to the records of an AWS batch what SQS sends in every record, and what the contract leaves out: the two empty
 * lists in each message attribute, and a `md5OfMessageAttributes` that is null for a message without attributes. An
 * event that is not a batch of SQS stays unchanged.
 */
export function completeRecords(event: unknown): unknown {
  if (!isObject(event) || !Array.isArray(event.Records) || !event.Records.some(isFromSqs)) return event
  return { ...event, Records: event.Records.map(each => (isFromSqs(each) ? completed(each) : each)) }
}

type Fields = Readonly<Record<string, unknown>>

function isFromSqs(record: unknown): record is Fields {
  return isObject(record) && record.eventSource === 'aws:sqs'
}

function completed({ messageAttributes, md5OfMessageAttributes = null, ...record }: Fields): Fields {
  const attributes = isObject(messageAttributes)
    ? Object.fromEntries(Object.entries(messageAttributes).map(([name, value]) => [name, withLists(value)]))
    : messageAttributes
  return { ...record, messageAttributes: attributes, md5OfMessageAttributes }
}

function withLists(value: unknown): unknown {
  if (!isObject(value)) return value
  const { stringListValues = [], binaryListValues = [], dataType, ...rest } = value
  return { ...rest, stringListValues, binaryListValues, dataType }
}
