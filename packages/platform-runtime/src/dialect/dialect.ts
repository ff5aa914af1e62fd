/**
 * Translates between the contract's neutral names, which the platform uses, and a provider's names, which a function
 * uses. Both directions are pure functions.
 */
export interface Dialect {
  /** Translates an event from the contract's names to the provider's. */
  readonly event: (event: unknown) => unknown
  /**
   * Translates the function's result from the provider's names to the contract's. The event has the contract's names.
   */
  readonly result: (answer: unknown, event: unknown) => unknown
  /**
   * Translates the lower-case name of a header that a client sends from the provider's name to the contract's. A client
   * of such a function uses the provider's names, and `event` translates them back.
   */
  readonly header?: (name: string) => string
  /** Fields that are added to the context, as JSON values. */
  readonly context?: (about: InvocationInfo) => { readonly [name: string]: unknown }
}

/** A dialect with a name. It can also read events that have the provider's names, such as events in files. */
export interface NamedDialect extends Dialect {
  /** Translates an event from the provider's names to the contract's. */
  readonly read: (event: unknown) => unknown
  /**
   * Returns the event that the contract's functions get of an event that is not one of the contract under other names, and the
   * wrapper of a function that makes it. Returns undefined for all other events.
   */
  readonly wrapped?: (event: unknown) => { readonly event: unknown; readonly by: string } | undefined
  /** Translates a result from the contract's names to the provider's. The event has the provider's names. */
  readonly write: (result: unknown, event: unknown) => unknown
}

/** The facts about an invocation that a dialect can use. */
export interface InvocationInfo {
  readonly functionName: string
  readonly requestId: string
  /** The region. Absent when it is not configured. */
  readonly region?: string
  /** The account. Absent when it is not configured. */
  readonly account?: string
}

/** Returns the dialect with the region and the account added to its context. */
export function locatedDialect(
  dialect: Dialect,
  location: Pick<InvocationInfo, 'region' | 'account'>,
): Dialect {
  const { context } = dialect
  return context === undefined
    ? dialect
    : { ...dialect, context: about => context({ ...location, ...about }) }
}

/** Translates an event from the contract's names to the provider's. Returns JSON text. */
export function translateEvent(dialect: Dialect, event: unknown): string {
  return JSON.stringify(dialect.event(event)) ?? 'null'
}

/**
 * Translates a function's payload from the provider's names to the contract's. A payload that is not JSON stays
 * unchanged, and the verdict reports it.
 */
export function translatePayload(dialect: Dialect, payload: string, event: unknown): string {
  let answer: unknown
  try {
    answer = payload === '' ? undefined : JSON.parse(payload)
  } catch {
    return payload
  }
  return JSON.stringify(dialect.result(answer, event)) ?? ''
}
