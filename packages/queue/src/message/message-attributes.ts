import type { Problem } from '@signalbox/codec'
import { pointerTo } from '@signalbox/codec'
import type { QueueRecord, WireMessageAttribute } from '../contract/record.ts'
import { InvalidMessageError } from '../errors.ts'

/** A decoded message attribute. `label` is the part of the type after its dot. */
export type MessageAttribute =
  | { readonly type: 'String'; readonly label?: string; readonly value: string }
  | { readonly type: 'Number'; readonly label?: string; readonly value: number }
  | { readonly type: 'Binary'; readonly label?: string; readonly value: Uint8Array }

/** The decoded attributes of a message, by name. An attribute that the sender did not set is undefined. */
export type MessageAttributes = Readonly<Partial<Record<string, MessageAttribute>>>

/**
 * Decodes the attributes of a record by their types. `Number.float` is a Number with the label `float`. Numbers beyond
 * the precision of a double are rounded. The record still has all digits.
 * @throws InvalidMessageError for an unknown type or a value that does not fit its type
 */
export function decodeAttributes(record: QueueRecord): MessageAttributes {
  // This object has no prototype, because senders choose the names.
  const decoded: Record<string, MessageAttribute> = Object.create(null)
  const wrong: Problem[] = []
  for (const [name, wire] of Object.entries(record.messageAttributes)) {
    const attribute = decodeAttribute(wire)
    if ('expected' in attribute) {
      wrong.push({ ...attribute, pointer: pointerTo('messageAttributes', name) + attribute.pointer })
    } else decoded[name] = attribute
  }
  if (wrong.length > 0) throw new InvalidMessageError(record.messageId, wrong)
  return decoded
}

function decodeAttribute({
  dataType,
  stringValue,
  binaryValue,
}: WireMessageAttribute): MessageAttribute | Problem {
  const dot = dataType.indexOf('.')
  const type = dot < 0 ? dataType : dataType.slice(0, dot)
  const label = dot < 0 ? {} : { label: dataType.slice(dot + 1) }
  if (type === 'String') {
    if (typeof stringValue !== 'string') return wrong('stringValue', 'text')
    return { type, ...label, value: stringValue }
  }
  if (type === 'Number') {
    const value = stringValue?.trim() ? Number(stringValue) : Number.NaN
    if (!Number.isFinite(value)) return wrong('stringValue', 'a number as text', stringValue)
    return { type, ...label, value }
  }
  if (type === 'Binary') {
    // Buffer ignores characters that are not Base64.
    if (typeof binaryValue !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(binaryValue))
      return wrong('binaryValue', 'bytes in base64', binaryValue)
    return { type, ...label, value: new Uint8Array(Buffer.from(binaryValue, 'base64')) }
  }
  return wrong('dataType', 'String, Number or Binary', dataType)
}

function wrong(key: string, expected: string, was?: string | null): Problem {
  return { pointer: `/${key}`, expected, actual: typeof was === 'string' ? 'other text' : 'nothing' }
}
