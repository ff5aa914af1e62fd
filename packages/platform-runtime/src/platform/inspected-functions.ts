import { InvalidOptionError } from '@signalbox/core/base'
import type { FunctionSettings } from '../invoker/function-settings.ts'
import { unknownName } from '../unknown-name.ts'

/**
 * Returns the names of the functions whose instances start with Node's inspector.
 * @param inspect the names that the user gave, or `true` for all functions with a module
 * @throws InvalidOptionError for an unknown function, and for a function that has no instances
 */
export function inspectedFunctions(
  inspect: true | readonly string[] | undefined,
  functions: readonly FunctionSettings[],
): ReadonlySet<string> {
  if (inspect === undefined) return new Set()
  const withModule = functions.filter(({ code }) => 'module' in code).map(({ name }) => name)
  if (inspect === true) {
    if (withModule.length > 0) return new Set(withModule)
    throw new InvalidOptionError('A debugger attaches to a function with a module, and there is none.')
  }
  for (const name of inspect) {
    if (!functions.some(each => each.name === name))
      throw new InvalidOptionError(
        unknownName(
          'function',
          name,
          functions.map(each => each.name),
        ),
      )
    if (!withModule.includes(name))
      throw new InvalidOptionError(
        `No debugger can attach to ${name} here: it has no module, and so no process of this platform.`,
      )
  }
  return new Set(inspect)
}
