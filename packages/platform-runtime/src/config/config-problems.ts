import { isObject, kindOf, type Problem } from '@signalbox/codec'
import type { Fields } from '../fields/field.ts'
import { insideProblems, keyProblems, type UncheckedObject } from '../fields/field-problems.ts'
import { type ListenerAddress, openAddresses, sharedAddresses } from '../listener/listener-addresses.ts'
import type { SourceConfig } from '../source/source-config.ts'
import type { AnySourceModule } from '../source/source-module.ts'
import { accessProblems, allRights } from './access-settings.ts'
import { controlAddress } from './control-address.ts'
import { timedFunctions } from './function-defaults.ts'
import { functionProblems, lambdaProblems } from './function-problems.ts'
import { runtimeFieldsWith } from './runtime-config.ts'
import { testInterfaceProblems } from './test-interface-problems.ts'

/** Returns the listeners of a configuration. */
export function listenersOf(
  sources: readonly SourceConfig<unknown>[],
  config: UncheckedObject,
): readonly ListenerAddress[] {
  return [...sources.flatMap(source => source.listeners(config)), ...controlAddress(sources, config)]
}

/** Returns the table of a whole configuration. */
export function configFields(
  sources: readonly SourceConfig<unknown>[],
  dialectNames: readonly string[],
): Fields {
  return Object.assign(runtimeFieldsWith(dialectNames), ...sources.map(source => source.fields))
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
  const fields = configFields(sources, dialectNames)
  const functions = timedFunctions(sources, config)
  const listeners = listenersOf(sources, config)
  return [
    ...keyProblems(fields, config, ''),
    ...(config.functions === undefined && !sources.some(source => source.standsAlone?.(config) === true)
      ? [{ pointer: '/functions', expected: 'an object', actual: 'nothing' }]
      : []),
    ...insideProblems(fields, 'functions', config, functionProblems, { lambda: lambdaProblems }),
    ...sources.flatMap(source => source.problems(config, functions)),
    ...clientReferenceProblems(sources, config),
    ...insideProblems(fields, 'control', config),
    ...testInterfaceProblems(config),
    ...sharedAddresses(listeners),
    ...openAddresses(listeners),
    ...accessProblems(config.access, allRights(sources), config),
    ...insideProblems(fields, 'invocationLog', config),
  ]
}

/** Returns the references to clients of pools that the configuration does not have. */
function clientReferenceProblems(
  sources: readonly SourceConfig<unknown>[],
  config: UncheckedObject,
): readonly Problem[] {
  const references = sources.flatMap(source => source.usesClients?.(config) ?? [])
  if (references.length === 0) return []
  const pools = new Map(sources.flatMap(source => Object.entries(source.clients?.(config) ?? {})))
  return references.flatMap(({ pointer, pool, client }) => {
    const clients = pools.get(pool)
    if (clients === undefined)
      return [
        { pointer: `${pointer}/pool`, expected: oneOf('a pool', [...pools.keys()]), actual: quoted(pool) },
      ]
    return clients.includes(client)
      ? []
      : [
          {
            pointer: `${pointer}/client`,
            expected: oneOf(`a client of ${pool}`, clients),
            actual: quoted(client),
          },
        ]
  })
}

function oneOf(what: string, names: readonly string[]): string {
  return names.length === 0 ? `${what}, and there is none` : `${what}: ${names.join(', ')}`
}

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, 80))
}
