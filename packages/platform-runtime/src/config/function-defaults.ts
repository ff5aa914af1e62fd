import { isObject } from '@signalbox/codec'
import type { SourceConfig } from '../source/source-config.ts'
import type { UncheckedObject } from './field-problems.ts'

/** Seconds that a function has when nothing is said. */
const defaultTimeout = 10

/** How many events a function may work on at a time when nothing is said. */
export const defaultInstances = 8

/**
 * The functions of a configuration, right or wrong, with the seconds that they have when nothing is said: ten, or
 * what a source grants those that it calls.
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
