import { isObject, nearest, type Problem, pointerTo } from '@signalbox/codec'
import { messageAttributeFields, recordFields, systemAttributeFields } from '@signalbox/queue/contract'
import { splitAtDot } from './filter-pattern.ts'
import { isValue, operators, single } from './operators.ts'

/** The maximum nesting depth of patterns. */
const depthLimit = 20

/** The fields that a pattern can name. A name that no record has would match nothing, and all messages would be deleted. */
interface Shape {
  /** Undefined means that any name is possible. The list of a text is empty. */
  readonly names: readonly string[] | undefined
  readonly inside: (name: string) => Shape
}

const anything: Shape = { names: undefined, inside: () => anything }
const text: Shape = { names: [], inside: () => text }
const texts = (fields: object): Shape => ({ names: Object.keys(fields), inside: () => text })

const insideRecord = new Map<string, Shape>([
  ['body', anything],
  ['attributes', texts(systemAttributeFields)],
  ['messageAttributes', { names: undefined, inside: () => texts(messageAttributeFields) }],
])
const queueRecord: Shape = {
  names: Object.keys(recordFields),
  inside: name => insideRecord.get(name) ?? text,
}

/** Returns the problems of a pattern, or of a list of patterns. */
export function filterProblems(filter: unknown, pointer: string): readonly Problem[] {
  if (!Array.isArray(filter)) return patternProblems(filter, pointer, queueRecord, depthLimit)
  if (filter.length === 0) return [{ pointer, expected: 'at least one pattern', actual: 'an empty list' }]
  return filter.flatMap((pattern, at) =>
    patternProblems(pattern, `${pointer}/${at}`, queueRecord, depthLimit),
  )
}

function patternProblems(pattern: unknown, pointer: string, shape: Shape, depth: number): readonly Problem[] {
  if (depth === 0) return [{ pointer, expected: `at most ${depthLimit} levels`, actual: 'more' }]
  if (!isObject(pattern))
    return [{ pointer, expected: 'a pattern: fields, and for each a list of rules', actual: nounOf(pattern) }]
  return Object.entries(pattern).flatMap(([field, value]) => {
    const at = `${pointer}${pointerTo(field)}`
    const [head, rest] = splitAtDot(field)
    if (shape.names?.includes(head) && rest !== undefined && shape.inside(head) !== text)
      return patternProblems({ [rest]: value }, `${pointer}${pointerTo(head)}`, shape.inside(head), depth - 1)
    if (field !== '$or' && shape.names?.includes(field) === false)
      return [{ pointer: at, expected: nameAmong(shape.names, field), actual: 'an unknown name' }]
    const inside = shape.inside(field)
    if (!Array.isArray(value)) {
      if (field === '$or') return [{ pointer: at, expected: 'a list of patterns', actual: nounOf(value) }]
      if (inside === text)
        return [{ pointer: at, expected: 'a list of rules for a text', actual: nounOf(value) }]
      return patternProblems(value, at, inside, depth - 1)
    }
    if (field !== '$or' && inside !== anything && inside !== text)
      return [{ pointer: at, expected: 'a pattern for its fields', actual: 'a list of rules' }]
    if (value.length === 0)
      return [{ pointer: at, expected: 'at least one', actual: 'an empty list, which nothing matches' }]
    return value.flatMap((each, position) =>
      field === '$or'
        ? patternProblems(each, `${at}/${position}`, shape, depth - 1)
        : ruleProblems(each, `${at}/${position}`),
    )
  })
}

function nameAmong(names: readonly string[], name: string): string {
  const meant = nearest(name, names)
  return meant === undefined ? `one of ${names.join(', ')}` : `the name ${meant}`
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
