import type { Problem } from '../problems/problem.ts'
import type { StandardIssue } from './standard-schema.ts'

/** An issue with the fields that libraries add to it. */
export interface Issue extends StandardIssue {
  readonly code?: unknown
  /** The issues of each alternative of a union: zod 4, zod 3, and valibot, which lists all of them together. */
  readonly errors?: readonly (readonly Issue[])[]
  readonly unionErrors?: readonly { readonly issues: readonly Issue[] }[]
  readonly issues?: readonly Issue[]
  /** The value that the schema refused: valibot and ArkType. */
  readonly input?: unknown
  readonly data?: unknown
  /** The type that zod refused, or the type whose size it refused. */
  readonly received?: unknown
  readonly origin?: unknown
}

/** The problems of codecs that `standard` made schemas of, by their issues. */
export const problems: WeakMap<StandardIssue, Problem> = new WeakMap()

/** Words at the beginning of messages that a problem repeats. */
const opening = /^(?:.*?(?:: expected|must be)|expected) /is

/** What messages say about the value. Many of them quote it. */
const quoting = /(?:[,:]|,? but) received .*| \(was .*/gis

/**
 * Returns the issues of the alternative of a union that the value is nearest to, or the issue itself if every
 * alternative refuses the value as a whole.
 */
export function nearestIssues(issue: Issue): readonly Issue[] {
  const { path = [], errors, unionErrors, issues } = issue
  // The paths inside a zod 3 union begin at the root, and all others at the union.
  const within = (inner: Issue): Issue => ({ ...inner, path: path.concat(inner.path ?? []) })
  const alternatives =
    unionErrors?.map(each => each.issues) ??
    (errors ?? (issues?.length ? [issues.filter(each => each.path)] : [])).map(each => each.map(within))
  const deeper = alternatives.filter(
    each => each.length > 0 && each.every(inner => inner.path!.length > path.length || isUnion(inner)),
  )
  const [nearest] = deeper.sort((one, other) => weightOf(one) - weightOf(other))
  if (nearest) return nearest.flatMap(nearestIssues)
  const named = alternatives.flat().map(inner => wordsOf(inner.message))
  return named.length > 1 && alternatives.length > 1 && named.every(each => each !== undefined)
    ? [{ ...issue, message: `: expected ${[...new Set(named)].join(' or ')}` }]
    : [issue]
}

function isUnion({ errors, unionErrors }: Issue): boolean {
  return (errors ?? unionErrors ?? []).length > 0
}

/** Returns how far a value is from an alternative. A wrong literal weighs more than many wrong fields. */
function weightOf(issues: readonly Issue[]): number {
  return issues.reduce(
    (sum, { code }) => sum + (/^invalid_(?:value|literal)$/.test(String(code)) ? 1000 : 1),
    0,
  )
}

/**
 * Returns what an issue says, as the type at the end of an io-ts error.
 * @param actual the value at the path of the issue
 * @param isThere whether the value has that path
 */
export function toldBy(issue: Issue, actual: unknown, isThere: boolean) {
  const { message } = issue
  const problem = problems.get(issue)
  if (problem) return { name: problem.expected, isSentence: problem.isSentence, actual: problem.actual }
  const words = wordsOf(message)
  return {
    name: words ?? message.replace(quoting, ''),
    isSentence: words === undefined || undefined,
    actual: isThere && !isAboutAnother(issue, actual) ? undefined : null,
  }
}

/** Returns what a message says that it expects, or undefined for a sentence of its own. */
function wordsOf(message: string): string | undefined {
  return opening.test(message) ? message.replace(quoting, '').replace(opening, '') : undefined
}

/** Returns whether an issue is about another value than the one at its path, because the schema changed the value. */
function isAboutAnother(issue: Issue, actual: unknown): boolean {
  // Of an absent field, ArkType gives the object around it.
  if (Object.hasOwn(issue, 'data')) return issue.code !== 'required' && !Object.is(issue.data, actual)
  if (Object.hasOwn(issue, 'input')) return !Object.is(issue.input, actual)
  if (issue.code === 'invalid_key' || issue.code === 'unrecognized_keys') return true
  const type = typeOf(actual)
  const told = issue.origin ?? issue.received ?? /, received (\w+)/.exec(issue.message)?.[1]
  // NaN and an invalid date are what a text that is no number or no date becomes.
  return typeof told === 'string' && types.includes(told) && told !== type
}

const types = ['string', 'number', 'boolean', 'bigint', 'undefined', 'null', 'array', 'object', 'set', 'map']

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (value instanceof Set) return 'set'
  return value instanceof Map ? 'map' : typeof value
}
