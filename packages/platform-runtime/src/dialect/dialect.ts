/**
 * The words in which a function is spoken to. The platform itself speaks the contract's neutral ones; a function
 * that was written for a provider's gets its events translated on the way in and its answers on the way out. Both
 * are pure: they answer what they are given, translated, and change nothing.
 */
export interface Dialect {
  /** An event of the contract in the function's words. */
  readonly event: (event: unknown) => unknown
  /** What the function answered to an event (of the contract) in the contract's words. */
  readonly result: (answer: unknown, event: unknown) => unknown
  /** What the context says in the function's words, beside what it says already. JSON, since it goes to a process. */
  readonly context?: (about: InvocationInfo) => { readonly [name: string]: unknown }
}

/** A dialect that has a name, and whose events can be read too, as they lie in files. */
export interface NamedDialect extends Dialect {
  /** An event in the dialect's words in the contract's. */
  readonly read: (event: unknown) => unknown
}

/** What there is to say about an invocation. */
export interface InvocationInfo {
  readonly functionName: string
  readonly requestId: string
  /** Where the box is, when its configuration is known. */
  readonly region?: string
  readonly account?: string
}

/** The same dialect, whose context can say where the box is. */
export function locatedDialect(
  dialect: Dialect,
  location: Pick<InvocationInfo, 'region' | 'account'>,
): Dialect {
  const { context } = dialect
  return context === undefined
    ? dialect
    : { ...dialect, context: about => context({ ...location, ...about }) }
}

/** An event's text in the words of a dialect. */
export function translateEvent(dialect: Dialect, event: unknown): string {
  return JSON.stringify(dialect.event(event)) ?? 'null'
}

/** A payload in the contract's words. What is no JSON stays as it is: the verdict will say so. */
export function translatePayload(dialect: Dialect, payload: string, event: unknown): string {
  let answer: unknown
  try {
    answer = payload === '' ? undefined : JSON.parse(payload)
  } catch {
    return payload
  }
  return JSON.stringify(dialect.result(answer, event)) ?? ''
}
