import { isObject } from '@signalbox/codec'

/**
 * Returns whether all records of a batch have an id and the normalizer would change nothing. One pass over the records
 * is enough, and most batches then need neither the normalizer nor the validator. It sometimes returns false for a
 * normalized batch, but it never returns true for any other batch.
 */
export function isNormalized(event: unknown): boolean {
  if (!isObject(event) || !Array.isArray(event.Records)) return false
  const records: readonly unknown[] = event.Records
  for (let position = 0; position < records.length; position++) {
    const record = records[position]
    if (!isObject(record)) return false
    const { messageId, attributes, messageAttributes } = record
    if (typeof messageId !== 'string' || !messageId) return false
    if (!isObject(attributes) || !isObject(messageAttributes)) return false
    for (const key in attributes) if (typeof attributes[key] !== 'string') return false
    for (const name in messageAttributes) if (!isText(messageAttributes[name])) return false
  }
  return true
}

function isText(attribute: unknown): boolean {
  if (!isObject(attribute)) return false
  return typeof (attribute.stringValue ?? '') === 'string'
}
