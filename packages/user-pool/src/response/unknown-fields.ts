import { fieldHint, kindOf, type Problem, pointerTo } from '@signalbox/codec'
import { withHints } from '@signalbox/core'
import { isPlainObject } from '../contract/fields/plain-object.ts'
import { readyNodes } from '../contract/ready-nodes.ts'
import { isThenable } from './is-thenable.ts'

/** The field names of an answer. For each name, `inner` describes the contents of the field at the same index. */
export interface FieldNames {
  readonly names: readonly string[]
  readonly inner: readonly (FieldNames | 'any names' | 'items' | undefined)[]
}

/** Returns the names of the fields of an answer, whose node is at this position. */
export function fieldNames(position: number): FieldNames {
  const node = readyNodes()[position]!
  const inner: Record<string, FieldNames['inner'][number]> = {}
  for (let i = 1; i < node.length; i += 2) {
    inner[(node[i] as string).slice(1)] = innerOf(node[i + 1] as number)
  }
  // Names that were keys are compared faster than names that were cut out of a text.
  return { names: Object.keys(inner), inner: Object.values(inner) }
}

function innerOf(position: number): FieldNames['inner'][number] {
  const node = readyNodes()[position]!
  if (node[0] === 'object' && node.length > 1) return fieldNames(position)
  if (node[0] === 'array') return 'items'
  return node[0] === 'record' ? 'any names' : undefined
}

/**
 * Returns the unknown fields of an answer, at every depth that the contract describes, or undefined when
 * there are none. They are probably misspelt, and the platform does not read them. The result also contains
 * nested objects and lists whose JSON differs from their contents.
 */
export function unknownFields(answer: object, known: FieldNames): readonly Problem[] | undefined {
  return hasOnly(answer, known) ? undefined : unknownIn(answer, known, '', undefined)
}

// This check creates no messages, because most answers have no unknown field. Searching a short list is faster than a
// table lookup.
function hasOnly(answer: object, { names, inner }: FieldNames): boolean {
  for (const name in answer) {
    let place = names.length - 1
    while (place >= 0 && names[place] !== name) place--
    if (place < 0) return false
    const below = inner[place]
    if (below === undefined) continue
    const value = (answer as Record<string, unknown>)[name]
    if (typeof value !== 'object' || value === null) continue
    if (!isOfTheKind(value, below)) return false
    if (typeof below === 'object' && !hasOnly(value, below)) return false
  }
  return true
}

function unknownIn(
  answer: object,
  { names, inner }: FieldNames,
  under: string,
  wrong: readonly Problem[] | undefined,
): readonly Problem[] | undefined {
  let found = wrong
  for (const name in answer) {
    const place = names.indexOf(name)
    const below = inner[place]
    const value = (answer as Record<string, unknown>)[name]
    const looked = below !== undefined && typeof value === 'object' && value !== null
    if (place >= 0 && (!looked || isOfTheKind(value, below))) {
      if (looked && typeof below === 'object') found = unknownIn(value, below, `${under}/${name}`, found)
      continue
    }
    const [expected, actual] = place < 0 ? [hint(name, names), 'a field'] : wordsOf(below, value)
    found = [...(found ?? []), { pointer: `/response${under}${pointerTo(name)}`, expected, actual }]
  }
  return found
}

/**
 * Returns a problem about the first object of an answer whose JSON has none of its contents, such as a promise or a
 * Map, at every depth that the contract describes. Instances of people's own classes are allowed.
 */
export function lostInJson(
  value: unknown,
  known: FieldNames['inner'][number],
  pointer = '/response',
): Problem | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (!isOrdinaryObject(value)) {
    const actual = isThenable(value) ? 'a promise' : kindOf(value, 'another kind of object')
    return { pointer, expected: 'a plain object', actual }
  }
  if (typeof known !== 'object') return undefined
  for (const [place, name] of known.names.entries()) {
    const lost = lostInJson(
      (value as Record<string, unknown>)[name],
      known.inner[place],
      `${pointer}/${name}`,
    )
    if (lost !== undefined) return lost
  }
  return undefined
}

/** Returns whether a value is a plain object or an instance of a user-defined class. */
export function isOrdinaryObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]'
}

/** Returns whether the JSON of a nested object or list contains all its fields or items. */
function isOfTheKind(value: object, below: FieldNames['inner'][number]): boolean {
  return below === 'items' ? hasItemsOnly(value) : isPlainObject(value)
}

function wordsOf(below: FieldNames['inner'][number], value: unknown): readonly [string, string] {
  return [
    below === 'items' ? 'a list without holes' : 'a plain object',
    kindOf(value, 'another kind of object'),
  ]
}

/**
 * Returns false for an array that JSON would change. Returns true for all other values, because the codec refuses
 * them.
 */
function hasItemsOnly(value: object): boolean {
  if (!Array.isArray(value)) return true
  // Codecs skip holes, but refuse an item that is undefined.
  for (let i = 0; i < value.length; i++) if (value[i] === undefined && !(i in value)) return false
  return (value as { readonly toJSON?: unknown }).toJSON === undefined
}

function hint(name: string, all: readonly string[]): string {
  if (all.length === 0) return 'nothing, because no answer is expected here'
  return withHints() ? fieldHint(name, all) : `one of the fields ${all.join(', ')}`
}
