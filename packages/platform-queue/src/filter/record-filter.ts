import type { QueueRecord } from '@signalbox/queue/contract'
import { type FilterPattern, splitAtDot } from './filter-pattern.ts'
import { isValue, operators, single, type Test } from './operators.ts'

type Matcher = (value: unknown) => boolean

/**
 * Returns a function that checks whether a record matches one of these patterns, which must be valid. A body that is a
 * JSON object or list can match patterns for fields, and any other body can match rules for plain text.
 */
export function recordFilter(patterns: readonly FilterPattern[]): (record: QueueRecord) => boolean {
  const matchers = patterns.map(pattern => patternMatcher(pattern, true))
  return record => {
    const seen = { ...record, body: bodyOf(record.body) }
    return matchers.some(matches => matches(seen))
  }
}

function bodyOf(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/**
 * Returns a function that checks whether a value matches a pattern.
 * @param ofRecord whether the pattern describes the record itself and not a JSON body; if true, a rule matches only a
 * plain value, and a nested pattern matches only an object
 */
function patternMatcher(pattern: FilterPattern, ofRecord: boolean): Matcher {
  const fields = Object.entries(pattern).map(([field, wanted]): Matcher => {
    if (field === '$or') {
      const any = (wanted as readonly FilterPattern[]).map(each => patternMatcher(each, ofRecord))
      return value => any.some(matches => matches(value))
    }
    return fieldMatcher(field, wanted as FilterPattern, ofRecord)
  })
  return value => fields.every(matches => matches(value))
}

/** Returns a function that checks a field of a value. A name with dots is a path, unless the value has that name. */
function fieldMatcher(field: string, wanted: FilterPattern | readonly unknown[], ofRecord: boolean): Matcher {
  const matches = Array.isArray(wanted)
    ? rulesMatcher(wanted, ofRecord)
    : nestedMatcher(patternMatcher(wanted as FilterPattern, false), ofRecord)
  const own: Matcher = value => matches(fieldOf(value, field))
  const [head = '', rest] = splitAtDot(field)
  if (rest === undefined) return own
  const inside = fieldMatcher(head, { [rest]: wanted } as FilterPattern, ofRecord)
  return value => (hasField(value, field) ? own(value) : inside(value))
}

/**
 * Returns a function that checks whether a value matches a nested pattern. One matching element of a list is enough. A
 * missing value, an empty list and a plain value count as an object without fields.
 */
function nestedMatcher(matches: Matcher, ofRecord: boolean): Matcher {
  return value => {
    if (ofRecord && (typeof value !== 'object' || value === null)) return false
    const elements = elementsOf(value)
    return elements.length === 0 ? matches(undefined) : elements.some(matches)
  }
}

function rulesMatcher(rules: readonly unknown[], ofRecord: boolean): Matcher {
  const tests = rules.map(ruleMatcher)
  return value => {
    if (ofRecord && typeof value === 'object') return false
    const values = elementsOf(value).filter(isValue)
    return tests.some(matches => matches(values))
  }
}

function ruleMatcher(rule: unknown): (values: readonly unknown[]) => boolean {
  if (isValue(rule)) return values => values.includes(rule)
  const [name, operand] = single(rule)!
  if (name === 'exists') return values => values.length > 0 === operand
  const test: Test = operators[name]!.test(operand)!
  return values => values.some(test)
}

function fieldOf(value: unknown, field: string): unknown {
  return hasField(value, field) ? (value as Record<string, unknown>)[field] : undefined
}

function hasField(value: unknown, field: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, field)
}

/**
 * Returns the value itself, or the elements of a list and of its nested lists. It does not recurse, because lists can
 * be nested very deeply.
 */
function elementsOf(value: unknown): readonly unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value)) return [value]
  const elements: unknown[] = []
  const left: unknown[] = [value]
  while (left.length > 0) {
    const each = left.pop()
    if (Array.isArray(each)) for (const inner of each) left.push(inner)
    else elements.push(each)
  }
  return elements
}
