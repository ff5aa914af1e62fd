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
    normalizeSystemAttributes(record.attributes, position, drift)
    normalizeMessageAttributes(record, position, drift)
  }
}

function normalizeSystemAttributes(attributes: unknown, position: number, drift: Drift[] | undefined): void {
  if (!isObject(attributes)) return
  for (const key in attributes) {
    const was = becomeText(attributes, key)
    if (was !== undefined) note(drift, position, ['attributes', key], was, 'text')
  }
}

function normalizeMessageAttributes(
  record: Record<string, unknown>,
  position: number,
  drift: Drift[] | undefined,
): void {
  const attributes = record.messageAttributes
  if (attributes === undefined || attributes === null) {
    record.messageAttributes = {}
    note(drift, position, ['messageAttributes'], attributes === null ? 'null' : 'nothing', 'an empty map')
  } else if (isObject(attributes)) {
    for (const name in attributes) {
      const attribute = attributes[name]
      if (!isObject(attribute)) continue
      const was = becomeText(attribute, 'stringValue')
      if (was !== undefined) note(drift, position, ['messageAttributes', name, 'stringValue'], was, 'text')
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
  position: number,
  path: readonly string[],
  was: string,
  became: string,
): void {
  drift?.push({ pointer: pointerTo('Records', position, ...path), was, became })
}
