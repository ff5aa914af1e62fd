import assert from 'node:assert/strict'
import { breaks, type ContractCase, keeps } from './contract-case.ts'
import type { ContractRow } from './contract-rows.ts'
import { copyOf } from './copy-of.ts'
import { fieldNameOf, type Samples, samplesOf, type TableOf } from './field-samples.ts'

/** An event, and the function's answer to it. */
export interface Subject {
  readonly event: unknown
  readonly answer: unknown
}

/** The location of a field in an event or an answer. */
export interface Place {
  readonly of: keyof Subject
  /** The keys on the path to the field. */
  readonly path: readonly (string | number)[]
  /** The prefix of JSON pointers into the answer. Default: no prefix. */
  readonly under?: string
}

export type Side = 'function' | 'platform'

/** The functions that test the fields of a family. */
export interface FieldDoor {
  readonly rows: readonly ContractRow[]
  readonly placeOf: (row: ContractRow) => Place
  /** Returns a new valid event and answer in which the field can be set. */
  readonly subjectFor: (row: ContractRow) => Subject
  /** Returns the error with which a side refuses the event or the answer, or undefined if it accepts both. */
  readonly refusal: (side: Side, subject: Subject) => Promise<string | undefined>
  /** Returns whether the codecs of the contract accept the event and the answer unchanged. */
  readonly isValid: (subject: Subject) => boolean
  /** Whether a field is required in the subject's event, although its row says that it is optional. */
  readonly isRequiredHere?: (row: ContractRow) => boolean
  /**
   * For each object type, the anchor prefix of the table that describes it. Needed only if the prefix differs from the
   * anchor of the field.
   */
  readonly tables?: { readonly [type: string]: string }
  /** Sample values for fields with rules beyond their type. */
  readonly samples?: { readonly [row: string]: Partial<Samples> }
  /**
   * Returns whether the normalizer or the serializer of a side fills in a missing required field. In that case, only
   * the codec refuses an object without the field.
   */
  readonly mends?: (row: ContractRow, side: Side, missing: 'absent' | 'null') => boolean
  /**
   * Returns whether the error of a side names the wrong field. For example, the platform's errors about events do not
   * name it.
   */
  readonly points: (row: ContractRow, side: Side) => boolean
}

/** Returns the cases for every row that describes a field. */
export function fieldCases(door: FieldDoor): readonly ContractCase[] {
  const tableOf: TableOf = ({ id }, type) => {
    const under = `${door.tables?.[type] ?? id}.`
    return door.rows.filter(row => row.id.startsWith(under) && !row.id.slice(under.length).includes('.'))
  }
  return door.rows
    .filter(({ cells }) => 'Field' in cells)
    .flatMap(row => {
      const { right, wrong } = { ...samplesOf(row, tableOf), ...door.samples?.[row.id] }
      return casesOf(row, { right, wrong }, door)
    })
}

function casesOf(row: ContractRow, { right, wrong }: Samples, door: FieldDoor): readonly ContractCase[] {
  const { id, cells } = row
  const field = fieldNameOf(row)
  const place = door.placeOf(row)
  const holds = (value: unknown) => sides(side => taken(door, side, subjectWith(row, place, value, door)))
  const refuses = (value: unknown, below: string) =>
    sides(side => refused(door, row, side, place, value, below))
  const found = [
    ...right.map(value => keeps(id, `${field} is ${shown(value)}`, holds(value))),
    ...wrong.map(({ value, below }) => breaks(id, `${field} is ${shown(value)}`, refuses(value, below))),
  ]
  const isOptional = cells.Required === 'no' && door.isRequiredHere?.(row) !== true
  const isNullable = !/null is malformed/i.test(cells.Meaning!)
  const nothing = [[absent, 'absent'] as const, [null, 'null'] as const]
  for (const [value, word] of nothing) {
    const isRight = isOptional && (isNullable || value === absent)
    found.push(
      isRight
        ? keeps(id, `${field} is ${word}`, holds(value))
        : breaks(id, `${field} is ${word}`, refuses(value, '')),
    )
  }
  return found
}

const absent = Symbol('absent')

const sides = (hold: (side: Side) => Promise<void>) => ({
  function: () => hold('function'),
  platform: () => hold('platform'),
})

async function taken(door: FieldDoor, side: Side, subject: Subject): Promise<void> {
  assert.equal(await door.refusal(side, subject), undefined)
}

async function refused(
  door: FieldDoor,
  row: ContractRow,
  side: Side,
  place: Place,
  value: unknown,
  below: string,
): Promise<void> {
  const subject = subjectWith(row, place, value, door)
  const missing = value === absent ? 'absent' : value === null ? 'null' : undefined
  if (missing !== undefined && door.mends?.(row, side, missing)) {
    assert.equal(door.isValid(copyOf(subject)), false, 'the codec takes it')
    return taken(door, side, subject)
  }
  const why = await door.refusal(side, subject)
  assert.ok(why !== undefined, 'it is not refused')
  const pointer = `${place.under ?? ''}/${place.path.join('/')}${below}`
  if (door.points(row, side)) assert.ok(why.includes(pointer), `the refusal does not name ${pointer}: ${why}`)
}

function subjectWith(row: ContractRow, { of, path }: Place, value: unknown, door: FieldDoor): Subject {
  const subject = copyOf(door.subjectFor(row))
  let holder = subject[of] as Record<string | number, unknown>
  for (const key of path.slice(0, -1)) {
    holder[key] ??= {}
    holder = holder[key] as Record<string | number, unknown>
  }
  const last = path.at(-1)!
  if (value === absent) delete holder[last]
  else holder[last] = value
  return subject
}

function shown(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
