import { fieldHint, kindOf, type Problem, pointerTo } from '@signalbox/codec'
import { isPlainObject } from '@signalbox/codec/ready'
import { isThenable } from '@signalbox/core'
import { readyNodes } from '../contract/ready-nodes.ts'

/** The fields of an answer by name, with a description of the contents of each field. */
export type FieldNames = ReadonlyMap<string, Contents>

type Contents = FieldNames | 'any names' | 'items' | undefined

const known = new Map<number, FieldNames>()

/** Returns the fields of an answer whose node is at this position. */
export function fieldNames(position: number): FieldNames {
  const found = known.get(position)
  if (found !== undefined) return found
  const node = readyNodes()[position]!
  const names = new Map<string, Contents>()
  for (let i = 1; i < node.length; i += 2)
    names.set((node[i] as string).slice(1), contentsOf(node[i + 1] as number))
  known.set(position, names)
  return names
}

function contentsOf(position: number): Contents {
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
  return unknownIn(answer, known, '', undefined)
}

function unknownIn(
  answer: object,
  names: FieldNames,
  under: string,
  wrong: readonly Problem[] | undefined,
): readonly Problem[] | undefined {
  let found = wrong
  for (const name in answer) {
    const isKnown = names.has(name)
    const below = names.get(name)
    const value = (answer as Record<string, unknown>)[name]
    const looked = below !== undefined && typeof value === 'object' && value !== null
    if (isKnown && (!looked || isOfTheKind(value, below))) {
      if (looked && typeof below === 'object') found = unknownIn(value, below, `${under}/${name}`, found)
      continue
    }
    const [expected, actual] = isKnown ? wordsOf(below, value) : [hint(name, [...names.keys()]), 'a field']
    found = [...(found ?? []), { pointer: `/response${under}${pointerTo(name)}`, expected, actual }]
  }
  return found
}

/**
 * Returns a problem about the first object of an answer whose JSON lacks some of its contents, at every depth that the
 * contract describes: a promise, a Map, an object with `toJSON`, or one that inherits a known field. Other instances of
 * people's own classes are allowed.
 */
export function lostInJson(value: unknown, known: Contents, pointer = '/response'): Problem | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  if (!isOrdinaryObject(value)) {
    const actual = isThenable(value) ? 'a promise' : kindOf(value, 'another kind of object')
    return { pointer, expected: 'a plain object', actual }
  }
  if ('toJSON' in value)
    return { pointer: `${pointer}/toJSON`, expected: 'nothing', actual: kindOf(value.toJSON) }
  if (typeof known !== 'object') return undefined
  for (const [name, contents] of known) {
    const field = (value as Record<string, unknown>)[name]
    const at = `${pointer}/${name}`
    if (field !== undefined && !Object.hasOwn(value, name))
      return { pointer: at, expected: "a field of the answer's own", actual: 'an inherited one' }
    const lost = lostInJson(field, contents, at)
    if (lost !== undefined) return lost
  }
  return undefined
}

/** Returns whether a value is a plain object or an instance of a user-defined class. */
export function isOrdinaryObject(value: unknown): value is object {
  return Object.prototype.toString.call(value) === '[object Object]'
}

/** Returns whether the JSON of a nested object or list contains all its fields or items. */
function isOfTheKind(value: object, below: Contents): boolean {
  return below === 'items' ? hasItemsOnly(value) : isPlainObject(value)
}

function wordsOf(below: Contents, value: unknown): readonly [string, string] {
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
  return process.env.NODE_ENV === 'production' ? `one of the fields ${all.join(', ')}` : meantField(name, all)
}

function meantField(name: string, all: readonly string[]): string {
  const neutral = name === 'iamRolesToOverride' ? 'accessRolesToOverride' : undefined
  return neutral !== undefined && all.includes(neutral)
    ? `no such field; write ${neutral}, also on AWS`
    : fieldHint(name, all)
}
