import { BlockList, isIP } from 'node:net'

/** A function that returns whether an operator matches a value of an event. */
export type Test = (value: unknown) => boolean

interface Operator {
  /** A description of the operand that the operator expects. */
  readonly expected: string
  /** Returns the function for an operand. Returns undefined for an invalid operand. */
  readonly test: (operand: unknown) => Test | undefined
}

/** The operators of filters by name, except `exists`, which does not check a value. */
export const operators: { readonly [name: string]: Operator } = {
  prefix: {
    expected: 'a text that is not empty, or { "equals-ignore-case": text }',
    test: operand => affixTest(operand, (value, wanted) => value.startsWith(wanted)),
  },
  suffix: {
    expected: 'a text that is not empty, or { "equals-ignore-case": text }',
    test: operand => affixTest(operand, (value, wanted) => value.endsWith(wanted)),
  },
  'equals-ignore-case': {
    expected: 'a text',
    test: operand =>
      typeof operand === 'string'
        ? textTest({ 'equals-ignore-case': operand }, (value, wanted) => value === wanted)
        : undefined,
  },
  wildcard: {
    expected: 'a text in which * stands for any characters, \\* for a star and \\\\ for a backslash',
    test: wildcardTest,
  },
  'anything-but': {
    expected:
      'a text, a number, a list of texts or of numbers, or one of prefix, suffix, wildcard and equals-ignore-case with a text or a list of texts',
    test(operand) {
      const inner = single(operand)
      const name = inner?.[0] ?? ''
      const isText = ['prefix', 'suffix', 'wildcard', 'equals-ignore-case'].includes(name)
      if (inner !== undefined && !isText) return undefined
      const listed = inner === undefined ? operand : inner[1]
      const values: readonly unknown[] = Array.isArray(listed) ? listed : [listed]
      if (values.length === 0) return undefined
      if (inner === undefined) {
        const isAlike = ['string', 'number'].some(type => values.every(value => typeof value === type))
        return isAlike ? value => !values.includes(value) : undefined
      }
      const tests = values.map(wanted => operators[name]!.test(wanted))
      if (
        tests.includes(undefined) ||
        (Array.isArray(listed) && values.some(each => typeof each !== 'string'))
      )
        return undefined
      return value => !tests.some(test => test!(value))
    },
  },
  numeric: {
    expected: 'one comparison with a number, or a range from a smaller number, such as [">", 0, "<=", 5]',
    test: numericTest,
  },
  cidr: { expected: 'a network such as 10.0.0.0/8', test: networkTest },
}

/** Returns whether a value can occur in events and in rules. */
export function isValue(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

/** Returns the name and the value of the only field of an object. Returns undefined for any other value. */
export function single(value: unknown): readonly [name: string, value: unknown] | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const entries = Object.entries(value)
  return entries.length === 1 ? entries[0] : undefined
}

/** Refuses an empty prefix or suffix, which would match every text, in both of its forms. */
function affixTest(operand: unknown, holds: (value: string, wanted: string) => boolean): Test | undefined {
  return [operand, single(operand)?.[1]].includes('') ? undefined : textTest(operand, holds)
}

function textTest(operand: unknown, holds: (value: string, wanted: string) => boolean): Test | undefined {
  if (typeof operand === 'string') return value => typeof value === 'string' && holds(value, operand)
  const [name, wanted] = single(operand) ?? []
  if (name !== 'equals-ignore-case' || typeof wanted !== 'string') return undefined
  const lower = wanted.toLowerCase()
  return value => typeof value === 'string' && holds(value.toLowerCase(), lower)
}

const comparisons: { readonly [sign: string]: (value: number, than: number) => boolean } = {
  '=': (value, than) => value === than,
  '>': (value, than) => value > than,
  '>=': (value, than) => value >= than,
  '<': (value, than) => value < than,
  '<=': (value, than) => value <= than,
}

/** Reads one comparison, or a range whose lower end comes first, as the service does. */
function numericTest(operand: unknown): Test | undefined {
  if (!Array.isArray(operand)) return undefined
  const [sign, than, secondSign, secondThan] = operand as readonly unknown[]
  const first = comparison(sign, than)
  if (first === undefined || (operand.length !== 2 && operand.length !== 4)) return undefined
  if (operand.length === 2) return value => typeof value === 'number' && first(value)
  const second = comparison(secondSign, secondThan)
  const isRange = /^>/.test(String(sign)) && /^</.test(String(secondSign))
  if (second === undefined || !isRange || Number(than) >= Number(secondThan)) return undefined
  return value => typeof value === 'number' && first(value) && second(value)
}

function comparison(sign: unknown, than: unknown): ((value: number) => boolean) | undefined {
  const compare = Object.hasOwn(comparisons, String(sign)) ? comparisons[String(sign)] : undefined
  return compare && typeof than === 'number' ? value => compare(value, than) : undefined
}

/** Matches the texts between the stars one after the other, in linear time. */
function wildcardTest(operand: unknown): Test | undefined {
  if (typeof operand !== 'string') return undefined
  const pieces = ['']
  for (let at = 0; at < operand.length; at++) {
    const [letter, next] = [operand[at]!, operand[at + 1]]
    if (letter === '*') {
      // The service refuses two stars side by side.
      if (next === '*') return undefined
      pieces.push('')
    } else if (letter !== '\\') pieces[pieces.length - 1] += letter
    else if (next === '*' || next === '\\') {
      pieces[pieces.length - 1] += next
      at++
    } else return undefined
  }
  const [start = '', ...others] = pieces
  const end = others.pop()
  if (end === undefined) return value => value === start
  return value => {
    if (typeof value !== 'string' || !value.startsWith(start)) return false
    let from = start.length
    for (const piece of others) {
      const at = value.indexOf(piece, from)
      if (at < 0) return false
      from = at + piece.length
    }
    return value.length - from >= end.length && value.endsWith(end)
  }
}

function networkTest(operand: unknown): Test | undefined {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(String(operand)) ?? []
  const version = isIP(address)
  if (version === 0 || Number(bits) > (version === 4 ? 32 : 128)) return undefined
  const network = new BlockList()
  network.addSubnet(address, Number(bits), `ipv${version as 4 | 6}`)
  return value =>
    typeof value === 'string' && isIP(value) === version && network.check(value, `ipv${version as 4 | 6}`)
}
