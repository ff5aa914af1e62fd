import { isObject, kindOf, type Problem } from '@signalbox/codec'
import { controlAddress } from '../control/control-address.ts'
import type { AnySourceModule } from '../source/source-module.ts'
import { fieldProblems, mapProblems, nestedProblems, type UncheckedObject } from './field-problems.ts'
import { timedFunctions } from './function-defaults.ts'
import { sharedAddresses } from './listener-addresses.ts'
import { controlFields, functionFields, invocationLogFields, runtimeFields } from './runtime-fields.ts'

/**
 * All problems of a configuration, which may be any value. Empty when it is valid.
 * @param dialectNames the dialects that a function can name
 */
export function configProblems(
  modules: readonly AnySourceModule[],
  dialectNames: readonly string[],
  config: unknown,
): readonly Problem[] {
  if (!isObject(config)) return [{ pointer: '', expected: 'an object', actual: kindOf(config) }]
  const sources = modules.map(module => module.config)
  const fields = Object.assign({}, runtimeFields, ...sources.map(source => source.fields))
  const ofFunctions = functionFields(dialectNames)
  const functions = timedFunctions(sources, config)
  return [
    ...fieldProblems(fields, config, ''),
    ...(config.functions === undefined && !sources.some(source => source.standsAlone?.(config) === true)
      ? [{ pointer: '/functions', expected: 'an object', actual: 'nothing' }]
      : []),
    ...mapProblems(config.functions, '/functions', (part, pointer) => [
      ...fieldProblems(ofFunctions, part, pointer),
      ...codeProblems(part, pointer),
    ]),
    ...sources.flatMap(source => source.problems(config, functions)),
    ...nestedProblems(config, 'control', controlFields, ''),
    ...sharedAddresses([
      ...sources.flatMap(source => source.listeners(config)),
      ...controlAddress(sources, config),
    ]),
    ...nestedProblems(config, 'invocationLog', invocationLogFields, ''),
  ]
}

function codeProblems(part: UncheckedObject, pointer: string): readonly Problem[] {
  const ways = ['module', 'handler'].filter(key => part[key] !== undefined)
  if (ways.length === 1) return []
  const actual = ways.length === 0 ? 'neither' : 'both'
  return [{ pointer, expected: 'a module or a handler, and not both', actual }]
}
