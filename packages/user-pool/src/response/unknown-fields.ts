import { fieldHint, kindOf, type Problem, pointerTo } from '@signalbox/codec'
import { withHints } from '@signalbox/core'
import { isPlainObject } from '../contract/fields/plain-object.ts'
import { type Fields, type Shape, type Trigger, triggers } from '../contract/index.ts'

/** The field names of an answer. For each name, `inner` describes the contents of the field at the same index. */
export interface FieldNames {
  readonly names: readonly string[]
  readonly inner: readonly (FieldNames | 'any names' | 'items' | undefined)[]
}

/** Returns the field names in the answer to a trigger. */
export function fieldNames(trigger: Trigger): FieldNames {
  return namesOf(triggers[trigger].response)
}

function namesOf(fields: Fields): FieldNames {
  return {
    names: Object.keys(fields),
    inner: Object.values(fields).map(field => field && innerOf(field.shape)),
  }
}

function innerOf({ kind, fields }: Shape<unknown>): FieldNames['inner'][number] {
  if (fields) return namesOf(fields)
  if (kind === 'list') return 'items'
  return kind === 'text-map' || kind === 'claim-map' ? 'any names' : undefined
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
