import { isObject, type Problem, pointerTo } from '@signalbox/codec'
import { isValue, operators, single } from './operators.ts'

/** The maximum nesting depth of patterns. */
const depthLimit = 20

/** Returns the problems of a pattern, or of a list of patterns. */
export function filterProblems(filter: unknown, pointer: string): readonly Problem[] {
  if (!Array.isArray(filter)) return patternProblems(filter, pointer, depthLimit)
  if (filter.length === 0) return [{ pointer, expected: 'at least one pattern', actual: 'an empty list' }]
  return filter.flatMap((pattern, at) => patternProblems(pattern, `${pointer}/${at}`, depthLimit))
}

function patternProblems(pattern: unknown, pointer: string, depth: number): readonly Problem[] {
  if (depth === 0) return [{ pointer, expected: `at most ${depthLimit} levels`, actual: 'more' }]
  if (!isObject(pattern))
    return [{ pointer, expected: 'a pattern: fields, and for each a list of rules', actual: nounOf(pattern) }]
  return Object.entries(pattern).flatMap(([field, value]) => {
    const at = `${pointer}${pointerTo(field)}`
    if (!Array.isArray(value))
      return field === '$or'
        ? [{ pointer: at, expected: 'a list of patterns', actual: nounOf(value) }]
        : patternProblems(value, at, depth - 1)
    if (value.length === 0)
      return [{ pointer: at, expected: 'at least one', actual: 'an empty list, which nothing matches' }]
    return value.flatMap((each, position) =>
      field === '$or'
        ? patternProblems(each, `${at}/${position}`, depth - 1)
        : ruleProblems(each, `${at}/${position}`),
    )
  })
}

function ruleProblems(rule: unknown, pointer: string): readonly Problem[] {
  if (isValue(rule)) return []
  const [name, operand] = single(rule) ?? []
  const operator = name !== undefined && Object.hasOwn(operators, name) ? operators[name] : undefined
  if (operator === undefined && name !== 'exists')
    return [
      {
        pointer,
        expected: `a value, or an object with one of ${[...Object.keys(operators), 'exists'].join(', ')}`,
        actual: name === undefined ? nounOf(rule) : `one with ${JSON.stringify(name)}`,
      },
    ]
  const isRight = operator === undefined ? typeof operand === 'boolean' : operator.test(operand) !== undefined
  if (isRight) return []
  const expected = operator?.expected ?? 'true or false'
  return [{ pointer: `${pointer}/${name}`, expected, actual: nounOf(operand) }]
}

function nounOf(value: unknown): string {
  if (isValue(value)) return JSON.stringify(value)
  if (value === undefined) return 'nothing'
  return Array.isArray(value) ? 'another list' : `an ${typeof value}`
}
