import { isObject, type Problem } from '@signalbox/codec'
import { functionReferenceProblems, type UncheckedObject } from '@signalbox/platform-runtime/config'
import { filterProblems } from '../filter/filter-problems.ts'

/** Returns the problems of a queue's functions and filters. */
export function queueFunctionProblems(
  part: UncheckedObject,
  pointer: string,
  functions: UncheckedObject,
): readonly Problem[] {
  const { functions: list } = part
  if (list === undefined)
    return [
      ...(part.function === undefined ? [] : functionReferenceProblems(part, pointer, functions)),
      ...wantedProblems(part, pointer),
      ...(part.filter !== undefined && part.function === undefined
        ? [{ pointer: `${pointer}/filter`, expected: 'no filter without a function', actual: 'a filter' }]
        : []),
    ]
  if (!Array.isArray(list)) return []
  const found: Problem[] = []
  if (list.length === 0)
    found.push({
      pointer: `${pointer}/functions`,
      expected: 'at least one function',
      actual: 'an empty list',
    })
  for (const key of ['function', 'filter'])
    if (part[key] !== undefined)
      found.push({
        pointer: `${pointer}/${key}`,
        expected: 'no value beside functions: set it for each function',
        actual: 'a value',
      })
  for (const [position, each] of list.entries()) {
    if (!isObject(each)) continue
    const at = `${pointer}/functions/${position}`
    found.push(...functionReferenceProblems(each, at, functions), ...wantedProblems(each, at))
  }
  return found
}

function wantedProblems({ filter }: UncheckedObject, pointer: string): readonly Problem[] {
  return typeof filter === 'object' && filter !== null ? filterProblems(filter, `${pointer}/filter`) : []
}
