import { isObject, kindOf, type Problem } from '@signalbox/codec'
import { keyProblems, mapProblems, nestedProblems, type UncheckedObject } from '../fields/field-problems.ts'
import { tlsFields } from '../fields/tls-files.ts'
import { type ListenerAddress, openAddresses, sharedAddresses } from '../listener/listener-addresses.ts'
import type { SourceConfig } from '../source/source-config.ts'
import type { AnySourceModule } from '../source/source-module.ts'
import { accessProblems, allRights } from './access-settings.ts'
import { controlAddress } from './control-address.ts'
import { timedFunctions } from './function-defaults.ts'
import { functionProblems } from './function-problems.ts'
import { controlFields, invocationLogFields, runtimeFields } from './runtime-fields.ts'
import { testInterfaceProblems } from './test-interface-problems.ts'

/** Returns the listeners of a configuration. */
export function listenersOf(
  sources: readonly SourceConfig<unknown>[],
  config: UncheckedObject,
): readonly ListenerAddress[] {
  return [...sources.flatMap(source => source.listeners(config)), ...controlAddress(sources, config)]
}

/**
 * Returns all problems of a configuration, which may be any value. The list is empty for a valid configuration.
 * @param dialectNames the names of the dialects that functions can use
 */
export function configProblems(
  modules: readonly AnySourceModule[],
  dialectNames: readonly string[],
  config: unknown,
): readonly Problem[] {
  if (!isObject(config)) return [{ pointer: '', expected: 'an object', actual: kindOf(config) }]
  const sources = modules.map(module => module.config)
  const fields = Object.assign({}, runtimeFields, ...sources.map(source => source.fields))
  const functions = timedFunctions(sources, config)
  const listeners = listenersOf(sources, config)
  return [
    ...keyProblems(fields, config, ''),
    ...(config.functions === undefined && !sources.some(source => source.standsAlone?.(config) === true)
      ? [{ pointer: '/functions', expected: 'an object', actual: 'nothing' }]
      : []),
    ...mapProblems(config.functions, '/functions', (part, pointer) =>
      functionProblems(part, pointer, dialectNames),
    ),
    ...sources.flatMap(source => source.problems(config, functions)),
    ...nestedProblems(config, 'control', controlFields, ''),
    ...(isObject(config.control) ? nestedProblems(config.control, 'tls', tlsFields, '/control') : []),
    ...testInterfaceProblems(config),
    ...sharedAddresses(listeners),
    ...openAddresses(listeners),
    ...accessProblems(config.access, allRights(sources), config),
    ...nestedProblems(config, 'invocationLog', invocationLogFields, ''),
  ]
}
