import type { Problem } from '@signalbox/codec'
import { nearestName } from '@signalbox/platform-runtime'
import {
  durableReferenceProblems,
  fieldProblems,
  functionReferenceProblems,
  isObject,
  pointerTo,
  type UncheckedObject,
} from '@signalbox/platform-runtime/config'
import { sources, sourcesOf, triggerNames } from '@signalbox/user-pool/contract'
import { triggerFunctionFields, triggerListFields } from './user-pool-config.ts'

/** Returns the problems in the configuration of a pool's triggers. */
export function triggerProblems(
  { triggers }: UncheckedObject,
  pool: string,
  functions: UncheckedObject,
): readonly Problem[] {
  if (!isObject(triggers)) return []
  const pointer = `${pool}/triggers`
  if ('function' in triggers || 'routes' in triggers)
    return [
      ...fieldProblems(triggerListFields, triggers, pointer),
      ...calleeProblems(triggers, pointer, functions),
      ...(Array.isArray(triggers.routes) ? triggers.routes : []).flatMap((name, at) =>
        typeof name === 'string' ? nameProblems(name, `${pointer}/routes/${at}`) : [],
      ),
      ...versionProblems(triggers, pointer, Array.isArray(triggers.routes) ? triggers.routes : []),
    ]
  return Object.entries(triggers).flatMap(([name, callee]) => {
    const at = `${pointer}${pointerTo(name)}`
    const named = nameProblems(name, at)
    if (typeof callee === 'string')
      return [
        ...named,
        ...calleeProblems({ function: callee }, at, functions).map(problem => ({
          ...problem,
          pointer: at,
        })),
      ]
    if (!isObject(callee))
      return [...named, { pointer: at, expected: 'a function', actual: 'something else' }]
    return [
      ...named,
      ...fieldProblems(triggerFunctionFields, callee, at),
      ...calleeProblems(callee, at, functions),
      ...versionProblems(callee, at, [name]),
    ]
  })
}

function calleeProblems(part: UncheckedObject, pointer: string, functions: UncheckedObject) {
  return [
    ...functionReferenceProblems(part, pointer, functions),
    ...durableReferenceProblems(part, pointer, functions, 'a trigger has five seconds'),
  ]
}

function nameProblems(name: string, pointer: string): readonly Problem[] {
  if (sourcesOf(name).length > 0) return []
  const meant = nearestName(name, [...triggerNames, ...sources])
  const expected = meant === undefined ? `a trigger: one of ${triggerNames.join(', ')}` : `the name ${meant}`
  return [{ pointer, expected, actual: `${JSON.stringify(name)}, which is not a trigger` }]
}

/** Returns the problems with the configured event versions. Only token-generation events have several versions. */
function versionProblems(
  { version }: UncheckedObject,
  pointer: string,
  names: readonly unknown[],
): readonly Problem[] {
  if (version === undefined || version === 1) return []
  if (names.some(name => String(name).startsWith('TokenGeneration'))) return []
  const expected = '1, since only TokenGeneration has others'
  return [{ pointer: `${pointer}/version`, expected, actual: String(version) }]
}
