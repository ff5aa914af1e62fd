/**
 * Translates between the contract's neutral names, which the platform uses, and a provider's names, which a function
 * uses. Both directions are pure functions that change nothing.
 */
export interface Dialect {
  /** Translates an event of the contract into the function's words. */
  readonly event: (event: unknown) => unknown
  /** Translates the function's result for an event (of the contract) into the contract's words. */
  readonly result: (answer: unknown, event: unknown) => unknown
  /** Fields that are added to the context, as JSON values. */
  readonly context?: (about: InvocationInfo) => { readonly [name: string]: unknown }
}

/** A dialect with a name, which can also read events, such as those in files. */
export interface NamedDialect extends Dialect {
  /** Translates an event in the dialect's words into the contract's. */
  readonly read: (event: unknown) => unknown
  /** Translates a result in the contract's words for an event in the dialect's words, as the provider gets it. */
  readonly write: (result: unknown, event: unknown) => unknown
}

/** What a dialect knows about an invocation. */
export interface InvocationInfo {
  readonly functionName: string
  readonly requestId: string
  /** From the configuration, if it is set there. */
  readonly region?: string
  readonly account?: string
}

/** The same dialect with region and account in its context. */
export function locatedDialect(
  dialect: Dialect,
  location: Pick<InvocationInfo, 'region' | 'account'>,
): Dialect {
  const { context } = dialect
  return context === undefined
    ? dialect
    : { ...dialect, context: about => context({ ...location, ...about }) }
}

/** The text of an event in a dialect. */
export function translateEvent(dialect: Dialect, event: unknown): string {
  return JSON.stringify(dialect.event(event)) ?? 'null'
}

/** A payload in the contract's words. A payload that is not JSON stays as it is, and the verdict reports it. */
export function translatePayload(dialect: Dialect, payload: string, event: unknown): string {
  let answer: unknown
  try {
    answer = payload === '' ? undefined : JSON.parse(payload)
  } catch {
    return payload
  }
  return JSON.stringify(dialect.result(answer, event)) ?? ''
}
