import type { Codec, Presence, Structure } from '../io-ts/codec-structure.ts'
import { structure } from '../io-ts/structure.ts'
import { isPlainObject } from '../json/is-plain-object.ts'

/**
 * Returns whether the JSON of a value that the codec accepts contains exactly what the codec describes. Objects must be
 * plain objects without unknown fields, and lists must have neither holes nor `toJSON`. An object of a codec without
 * fields may have any.
 */
export function isExact(codec: Codec, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  const shape = structure(codec)
  const part = shape.parts[0]!
  switch (shape.kind) {
    case 'object':
      return isPlainObject(value) && (shape.names.length === 0 || hasOnly(value, shape))
    case 'record':
      return isPlainObject(value) && Object.values(value).every(each => isExact(part, each))
    case 'array': {
      // The codec accepts the value, so it is an array.
      const items = value as readonly unknown[] & { readonly toJSON?: unknown }
      return items.toJSON === undefined && [...items].every(item => item !== undefined && isExact(part, item))
    }
    default:
      return true
  }
}

function hasOnly(value: object, { names, presence, parts }: Extract<Structure, { kind: 'object' }>): boolean {
  for (const name in value) {
    const place = names.indexOf(name)
    const field = (value as Record<string, unknown>)[name]
    // JSON lacks a field that is undefined.
    if (field === undefined && !mayBeAbsent.has(presence[place]!)) return false
    if (place < 0 || !isExact(parts[place]!, field)) return false
  }
  return true
}

const mayBeAbsent: ReadonlySet<Presence> = new Set(['nullable', 'optional'])
