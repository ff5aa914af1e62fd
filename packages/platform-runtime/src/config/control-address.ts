import type { UncheckedObject } from '../fields/field-problems.ts'
import { clientsOf, type ListenerAddress, listenerAt } from '../listener/listener-addresses.ts'
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
  return listenerAt('control', 'the control address', defaultControlPort, part, clientsOf(config))
}
