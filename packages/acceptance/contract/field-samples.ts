import type { ContractRow } from './contract-rows.ts'

/** Sample values for a field, derived from its row. */
export interface Samples {
  /** Valid values: a minimal one and a larger one. */
  readonly right: readonly unknown[]
  readonly wrong: readonly WrongValue[]
}

interface WrongValue {
  readonly value: unknown
  /** A JSON pointer to the error within the value. It is empty if the value itself is wrong. */
  readonly below: string
}

const wrong = (value: unknown, below = ''): WrongValue => ({ value, below })

// The wrong value is neither 7 nor true, because in some fields a normalizer converts these to strings.
const notText = { not: 'text' }

/** Sample values for the types that contract pages name in words. */
const named: { readonly [type: string]: Samples } = {
  string: { right: ['', 'text'], wrong: [wrong(notText), wrong(['text'])] },
  'text that is not empty': { right: ['text'], wrong: [wrong(''), wrong(notText)] },
  'text of digits': { right: ['0', '1763800000000'], wrong: [wrong(''), wrong('1.5'), wrong(notText)] },
  boolean: { right: [false, true], wrong: [wrong('true'), wrong(notText)] },
  object: { right: [{}, { any: ['thing'] }], wrong: [wrong('text')] },
  JSON: { right: ['text', 7, [true]], wrong: [wrong(null)] },
  'object with an address': {
    right: [{ address: '' }, { address: 'ann@office.example' }],
    wrong: [wrong('ann@office.example'), wrong({}, '/address'), wrong({ address: notText }, '/address')],
  },
  'list of objects with an address': {
    right: [[], [{ address: 'ann@office.example' }]],
    wrong: [wrong('ann@office.example'), wrong([{}], '/0/address')],
  },
  'list of addresses': {
    right: [[], ['ann@office.example']],
    wrong: [wrong('ann@office.example'), wrong([notText], '/0')],
  },
  'date-shaped text, such as 2019-07-28': {
    right: ['2019-07-28'],
    wrong: [wrong('28 July 2019'), wrong('2019-07-28T00:00:00Z'), wrong(notText)],
  },
  'text of at most 256 characters': {
    right: ['', 'é'.repeat(256), '😀'.repeat(256)],
    wrong: [wrong('é'.repeat(257)), wrong('😀'.repeat(257)), wrong(notText)],
  },
  'list of at least 1 element': {
    right: [[{ action: { type: 'DEFAULT' }, allRecipients: true }]],
    wrong: [wrong([]), wrong(notText)],
  },
  action: {
    right: [{ type: 'DROP' }, { type: 'BOUNCE', parameters: { bounceMessage: 'No.' } }],
    wrong: [wrong('DROP'), wrong({}, '/type'), wrong({ type: 'drop' }, '/type')],
  },
  'integer from 200 to 599': {
    right: [200, 599],
    wrong: [wrong(199), wrong(600), wrong(200.5), wrong('200')],
  },
  requestContext: {
    right: [{ elb: { targetGroupArn: 'arn' } }],
    wrong: [wrong('arn'), wrong({}, '/elb'), wrong({ elb: {} }, '/elb/targetGroupArn')],
  },
}

/** Returns the table rows that describe the fields of an object type. */
export type TableOf = (row: ContractRow, type: string) => readonly ContractRow[]

/**
 * Returns sample values for a field, based on the column `Type` of its row.
 * @throws Error for an unknown type
 */
export function samplesOf(row: ContractRow, tableOf: TableOf, type: string = row.cells.Type!): Samples {
  const known = named[type]
  if (known !== undefined) return known
  if (type.startsWith('"')) {
    const values = type.split(' or ').map(quoted => JSON.parse(quoted) as string)
    return { right: values, wrong: [wrong('something else'), wrong(notText)] }
  }
  const [, container, members] = /^(list of|map of string to) (.+)$/.exec(type) ?? []
  if (container === 'list of') return listOf(samplesOf(row, tableOf, members))
  if (container !== undefined) return mapOf(samplesOf(row, tableOf, members))
  const table = tableOf(row, type)
  if (table.length === 0) throw new Error(`There are no samples of the type ${type}.`)
  return objectOf(table, tableOf)
}

function listOf({ right, wrong: items }: Samples): Samples {
  return {
    right: [[], [right.at(-1)]],
    wrong: [wrong(notText), ...items.map(({ value, below }) => wrong([value], `/0${below}`))],
  }
}

function mapOf({ right, wrong: members }: Samples): Samples {
  return {
    right: [{}, { name: right.at(-1) }],
    wrong: [wrong('text'), ...members.map(({ value, below }) => wrong({ name: value }, `/name${below}`))],
  }
}

function objectOf(table: readonly ContractRow[], tableOf: TableOf): Samples {
  const fields = table.map(row => ({
    name: fieldNameOf(row),
    isRequired: row.cells.Required === 'yes',
    value: samplesOf(row, tableOf).right.at(-1),
  }))
  const object = (chosen: typeof fields) => Object.fromEntries(chosen.map(({ name, value }) => [name, value]))
  const right = [object(fields.filter(({ isRequired }) => isRequired)), object(fields)]
  return { right, wrong: [wrong('text'), wrong(7)] }
}

/** Returns the name of a field: the last part of its row's anchor. */
export function fieldNameOf({ id }: ContractRow): string {
  return id.slice(id.lastIndexOf('.') + 1)
}
