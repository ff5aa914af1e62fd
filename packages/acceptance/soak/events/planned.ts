import { isDeepStrictEqual } from 'node:util'
import { type Visit, violation } from './visit.ts'

/** What a call of a function ended with. */
export type Outcome = { readonly answer: unknown } | { readonly error: unknown }

/** An event, and what must become of it. */
export interface Planned {
  readonly event: object
  /** Milliseconds until the platform ends the invocation. */
  readonly timeout: number
  /** The kind of event, for the figures. */
  readonly kind: string
  /** Whether the platform calls the function again with the same event: meanwhile, or after the answer. */
  readonly again?: 'meanwhile' | 'afterwards' | undefined
  /** Notes violations of an outcome. */
  readonly check: (outcome: Outcome) => void
  /** Notes violations after all calls. */
  readonly checkAll?: (outcomes: readonly Outcome[]) => void
}

/** Notes a violation unless the outcome is this answer. */
export function expectAnswer(own: Visit, kind: string, outcome: Outcome, expected: unknown): void {
  const actual = 'answer' in outcome ? JSON.parse(JSON.stringify(outcome.answer ?? null)) : outcome
  if (isDeepStrictEqual(actual, JSON.parse(JSON.stringify(expected)))) return
  violation(`${kind} of ${own.mark} is ${shown(outcome)}, expected ${JSON.stringify(expected)}`)
}

/** Notes a violation unless the outcome is an error that has this text in its name or message. */
export function expectError(own: Visit, kind: string, outcome: Outcome, expected: string): void {
  if ('error' in outcome && String(outcome.error).includes(expected)) return
  violation(`${kind} of ${own.mark} is ${shown(outcome)}, expected an error with ${expected}`)
}

function shown(outcome: Outcome): string {
  return 'error' in outcome ? `the error ${outcome.error}` : JSON.stringify(outcome.answer)
}

/** Returns one of several values. */
export function oneOf<T>({ kinds }: Visit, ...values: readonly T[]): T {
  return values[kinds(values.length)]!
}
