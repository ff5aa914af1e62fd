import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import { responseTimeLimit } from '../contract/index.ts'
import { describeValue } from '../describe-value.ts'
import type { MailFlowOptions, Mode } from './options.ts'

type Check = (value: unknown, options: MailFlowOptions<Mode>) => boolean

const isFunction: Check = value => typeof value === 'function'
const having =
  (...methods: readonly string[]): Check =>
  value =>
    methods.every(name => isFunction(Object(value)[name], {}))

/** For each option, a function that returns whether a value is allowed. */
const checks: Readonly<Record<keyof MailFlowOptions, Check>> = {
  mode: value => value === 'sync' || value === 'async',
  overflow: value => value === 'refuse' || value === 'fallback',
  reserve: (value, { mode }) =>
    typeof value === 'number' &&
    value >= 0 &&
    (mode === 'async' || value < responseTimeLimit) &&
    value < Number.POSITIVE_INFINITY,
  onTimeout: isFunction,
  once: having('recall', 'remember'),
  onWarnings: isFunction,
  clock: having('now', 'after'),
  fetchMessage: isFunction,
  replaceMessage: isFunction,
  parseMessage: isFunction,
}

function expected(name: keyof MailFlowOptions): string {
  const others = {
    mode: 'sync or async',
    overflow: 'refuse or fallback',
    reserve: `milliseconds below the limit of ${responseTimeLimit}`,
    once: 'once({ store })',
    clock: 'a clock such as systemClock',
  }
  return others[name as keyof typeof others] ?? 'a function'
}

/**
 * @param where the name of the function for errors, such as `mailFlow()`
 * @param names the names of the allowed options. Default: all options of `mailFlow`
 * @throws InvalidOptionError for an unknown option or an invalid value
 */
export function checkOptions(
  where: string,
  options: MailFlowOptions<Mode>,
  names = Object.keys(checks) as readonly (keyof MailFlowOptions)[],
): void {
  refuseUnknownOptions(where, options, names)
  for (const name of names) {
    const value = options[name]
    if (value !== undefined && !checks[name](value, options))
      throw new InvalidOptionError(`${where}: ${name} is ${describeValue(value)}, expected ${expected(name)}`)
  }
}
