import type { UncheckedObject } from '../config/field-problems.ts'
import { type ListenerAddress, listenerAt } from '../config/listener-addresses.ts'
import type { SourceConfig } from '../source/source-config.ts'

/** The default port of the control address. */
export const defaultControlPort = 9330

/** Returns the control address of a configuration. Returns undefined when no source needs it. */
export function controlAddress(
  sources: readonly SourceConfig<unknown>[],
  config: UncheckedObject,
): readonly ListenerAddress[] {
  const needed = sources.some(source => source.needsControl?.(config) === true)
  const part = config.control ?? (needed ? {} : undefined)
  return listenerAt('control', 'the control address', defaultControlPort, part, config.access !== undefined)
}
