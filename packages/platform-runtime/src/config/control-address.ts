import type { UncheckedObject } from '../fields/field-problems.ts'
import { clientsOf, type ListenerAddress, listenerAt } from '../listener/listener-addresses.ts'
import type { SourceConfig } from '../source/source-config.ts'
import { controlFields } from './runtime-config.ts'

/** Returns the control address of a configuration. Returns undefined when no source needs it. */
export function controlAddress(
  sources: readonly SourceConfig<unknown>[],
  config: UncheckedObject,
): readonly ListenerAddress[] {
  const needed = sources.some(source => source.needsControl?.(config) === true)
  const part = config.control ?? (needed ? {} : undefined)
  return listenerAt('control', 'the control address', controlFields.port.default, part, clientsOf(config))
}
