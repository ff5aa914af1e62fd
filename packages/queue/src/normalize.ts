import { isObject, pointerTo } from '@signalbox/codec'
import type { Drift } from '@signalbox/core'

/**
 * Repairs harmless deviations of a batch from the contract, in place. A missing or null `messageAttributes` becomes an
 * empty map, and attributes that are numbers or booleans become strings. It repairs nothing else, because the codec
 * checks the event afterwards.
 */
export function normalizeBatch(event: unknown, drift?: Drift[]): void {
  const records = (event as { readonly Records?: unknown } | null | undefined)?.Records
  if (!Array.isArray(records)) return
  for (let position = 0; position < records.length; position++) {
    const record: unknown = records[position]
    if (!isObject(record)) continue
    const { attributes, messageAttributes } = record
    if (isObject(attributes))
      for (const key in attributes) {
        const was = becomeText(attributes, key)
        if (was !== undefined) note(drift, was, 'text', position, 'attributes', key)
      }
    if (messageAttributes === undefined || messageAttributes === null) {
      record.messageAttributes = {}
      const was = messageAttributes === null ? 'null' : 'nothing'
      note(drift, was, 'an empty map', position, 'messageAttributes')
    } else if (isObject(messageAttributes))
      for (const name in messageAttributes) {
        const attribute = messageAttributes[name]
        const was = isObject(attribute) ? becomeText(attribute, 'stringValue') : undefined
        if (was !== undefined) note(drift, was, 'text', position, 'messageAttributes', name, 'stringValue')
      }
  }
}

/** Turns a number or boolean into a string and returns its original type. Returns undefined for any other value. */
function becomeText(map: Record<string, unknown>, key: string): string | undefined {
  const value = map[key]
  if (typeof value !== 'number' && typeof value !== 'boolean') return undefined
  map[key] = String(value)
  return `a ${typeof value}`
}

function note(
  drift: Drift[] | undefined,
  was: string,
  became: string,
  position: number,
  ...path: readonly string[]
): void {
  drift?.push({ pointer: pointerTo('Records', position, ...path), was, became })
}
