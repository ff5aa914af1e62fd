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
    expected: 'a text, or { "equals-ignore-case": text }',
    test: operand => textTest(operand, (value, wanted) => value.startsWith(wanted)),
  },
  suffix: {
    expected: 'a text, or { "equals-ignore-case": text }',
    test: operand => textTest(operand, (value, wanted) => value.endsWith(wanted)),
  },
  'equals-ignore-case': {
    expected: 'a text',
    test: operand =>
      typeof operand === 'string'
        ? textTest({ 'equals-ignore-case': operand }, (value, wanted) => value === wanted)
        : undefined,
  },
  'anything-but': {
    expected: 'a value, a list of values, or one of prefix, suffix and equals-ignore-case',
    test(operand) {
      const inner = single(operand)
      if (inner !== undefined) {
        const [name, wanted] = inner
        const test = ['prefix', 'suffix', 'equals-ignore-case'].includes(name)
          ? operators[name]!.test(wanted)
          : undefined
        return test && (value => !test(value))
      }
      const values = Array.isArray(operand) ? operand : [operand]
      return values.length > 0 && values.every(isValue) ? value => !values.includes(value) : undefined
    },
  },
  numeric: { expected: 'comparisons with numbers, such as [">", 0, "<=", 5]', test: numericTest },
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

function numericTest(operand: unknown): Test | undefined {
  if (!Array.isArray(operand) || operand.length === 0 || operand.length % 2 !== 0) return undefined
  const all: ((value: number) => boolean)[] = []
  for (let at = 0; at < operand.length; at += 2) {
    const [sign, than] = [String(operand[at]), operand[at + 1]]
    const compare = Object.hasOwn(comparisons, sign) ? comparisons[sign] : undefined
    if (compare === undefined || typeof than !== 'number') return undefined
    all.push(value => compare(value, than))
  }
  return value => typeof value === 'number' && all.every(holds => holds(value))
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
