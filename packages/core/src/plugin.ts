import type { Mixed } from 'io-ts'

/** What the platform tells a function about the invocation besides the event. Everything in it is optional. */
export interface InvocationContext {
  readonly functionName?: string
  /** Identifies this invocation, and stays the same when the platform retries it. */
  readonly requestId?: string
  /** On AWS: the provider's id of the request. */
  readonly awsRequestId?: string
  /** On AWS: the resource name by which the function was invoked, with its version or alias. */
  readonly invokedFunctionArn?: string
  /** Milliseconds until the platform ends the invocation. Called without `this`. */
  readonly getRemainingTimeInMillis?: () => number
}

/** What a route or message handler is given beside the event and the context. */
export interface Invocation {
  /** Aborted shortly before the platform would end the invocation. */
  readonly signal: AbortSignal
}

/** What a middy middleware works on. */
export interface Request<Event = unknown, Response = unknown> {
  event: Event
  context: InvocationContext
  response: Response | undefined
  error: unknown
  readonly internal: Record<string, unknown>
}

/**
 * A middy middleware, typed so that any in the world fits: what its hooks take is their own affair
 * (`never` accepts every parameter type).
 */
export interface Middleware {
  readonly name?: string
  readonly before?: (request: never) => unknown
  readonly after?: (request: never) => unknown
  readonly onError?: (request: never) => unknown
}

/** A middleware whose hooks are written in place, as in `.use({ before: ({ event }) => … })`. */
export interface InlineMiddleware<Event, Response> {
  readonly name?: string
  readonly before?: (request: Request<Event, Response>) => unknown
  readonly after?: (request: Request<Event, Response>) => unknown
  readonly onError?: (request: Request<Event, Response>) => unknown
}

/** A middleware that looks at events, typed so that it fits into any middy stack. */
export interface BeforeMiddleware<Event = unknown> {
  readonly name: string
  readonly before: (request: Request<Event>) => void
}

/** A middleware that looks at answers, typed so that it fits into any middy stack. */
export interface AfterMiddleware<Event = unknown> {
  readonly name: string
  readonly after: (request: Request<Event>) => void
}

/** One harmless departure of an event from the contract, absorbed by a normalizer. */
export interface Drift {
  /** RFC 6901 pointer to the value. */
  readonly pointer: string
  /** What was there, in words: never a value. */
  readonly was: string
  /** What it was turned into, in words. */
  readonly became: string
}

/** A family of events, as much of it as any other part needs to know. */
export interface Family {
  /** Such as `queue`. Used in messages. */
  readonly name: string
  /** Whether an event belongs to this family, valid or not. Cheap, and never throws. */
  readonly recognizes: (event: unknown) => boolean
  /** Top-level fields of the family's events, for saying what an event of no family looks like. */
  readonly keys: readonly string[]
  /**
   * What ties together everything that is logged about one event, where the family's events carry such an id. Never
   * throws on any JSON.
   */
  readonly correlationId: (event: unknown) => string | undefined
  /** A sentence that says what to do about an event that the family does not recognize. Never throws on any JSON. */
  readonly hint?: (event: unknown) => string | undefined
  /** The contract of the whole event. */
  readonly event: Mixed
  /**
   * Absorbs drift, in place, so that handlers see one shape; never throws on any JSON. Departures from the
   * contract are added to `drift` when it is given.
   */
  readonly normalize: (event: unknown, drift?: Drift[]) => void
}

/** The function at the core of a plugin. It sees events that were normalized and validated. */
export type BaseHandler = (event: never, context: InvocationContext, invocation: Invocation) => unknown

/**
 * Everything that serves one family of events. `middlewares` run in middy's order: each `before` from first to
 * last, then `handler`, then each `after` from last to first. What users add with `.use()` sits between these
 * and the handler, so it sees normalized events and its changes are still checked on the way out.
 */
export interface Plugin<Result = unknown, Event = unknown> {
  readonly family: Family
  readonly middlewares: readonly Middleware[]
  readonly handler: BaseHandler
  /**
   * Makes a middleware that users add fit for this family. It is given those with hooks for the events of other
   * families, too.
   * @throws InvalidOptionError for one that cannot do here what it promises
   */
  readonly adapt?: (middleware: Middleware) => Middleware
  /** A type only, without a value: what the platform receives. */
  readonly result?: Result
  /** A type only, without a value: the event that middlewares see. */
  readonly event?: Event
}
