import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import { responseTimeLimit } from '../contract/index.ts'
import { describeValue } from '../describe-value.ts'
import type { MailFlowOptions, Mode } from './options.ts'

type Allowed = readonly [expected: string, is: (value: unknown, options: MailFlowOptions<Mode>) => boolean]

const oneOf = (...values: readonly string[]): Allowed => [
  values.join(' or '),
  value => values.includes(value as string),
]
const aFunction: Allowed = ['a function', value => typeof value === 'function']
const having = (expected: string, ...methods: readonly string[]): Allowed => [
  expected,
  value => methods.every(name => typeof (value as Record<string, unknown> | null)?.[name] === 'function'),
]

/** The allowed values of each option. */
const allowed: Readonly<Record<keyof MailFlowOptions, Allowed>> = {
  mode: oneOf('sync', 'async'),
  overflow: oneOf('refuse', 'fallback'),
  reserve: [
    `milliseconds below the limit of ${responseTimeLimit}`,
    (value, { mode }) =>
      typeof value === 'number' &&
      value >= 0 &&
      value < (mode === 'async' ? Number.POSITIVE_INFINITY : responseTimeLimit),
  ],
  onTimeout: aFunction,
  once: having('once({ store })', 'recall', 'remember'),
  onWarnings: aFunction,
  clock: having('a clock such as systemClock', 'now', 'after'),
  fetchMessage: aFunction,
  parseMessage: aFunction,
}

/**
 * @param where names the function for errors, such as `mailFlow()`
 * @param names of the allowed options. Default: all options of `mailFlow`
 * @throws InvalidOptionError for an unknown option or an invalid value
 */
export function checkOptions(
  where: string,
  options: MailFlowOptions<Mode>,
  names = Object.keys(allowed) as readonly (keyof MailFlowOptions)[],
): void {
  refuseUnknownOptions(where, options, names)
  for (const name of names) {
    const value = options[name]
    const [expected, is] = allowed[name]
    if (value === undefined || is(value, options)) continue
    throw new InvalidOptionError(`${where}: ${name} is ${describeValue(value)}, expected ${expected}`)
  }
}
