import { isObject } from '@signalbox/codec'
import type { UncheckedObject } from '../fields/field-problems.ts'
import type { SourceConfig } from '../source/source-config.ts'

/** The default time-out of a function, in seconds. */
const defaultTimeout = 10

/**
 * Returns the functions of a configuration, which may be invalid, with default time-outs filled in. The default is ten
 * seconds, or the time that a source allows the functions that it calls.
 */
export function timedFunctions(
  sources: readonly SourceConfig<unknown>[],
  config: UncheckedObject,
): UncheckedObject {
  if (!isObject(config.functions)) return {}
  const granted = new Map(sources.flatMap(source => [...(source.timeouts?.(config) ?? [])]))
  return Object.fromEntries(
    Object.entries(config.functions).map(([name, each]) => [
      name,
      isObject(each) ? { ...each, timeout: each.timeout ?? granted.get(name) ?? defaultTimeout } : each,
    ]),
  )
}
