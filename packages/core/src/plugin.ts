import type { Mixed } from 'io-ts'

/** What the platform says about the invocation besides the event. Every field is optional. */
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

/** The third argument of a route or message handler, after the event and the context. */
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
 * Any middy middleware. The parameter type `never` accepts hooks with every parameter type.
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

/** A middleware with a `before` hook, typed so that any middy stack takes it. */
export interface BeforeMiddleware<Event = unknown> {
  readonly name: string
  readonly before: (request: Request<Event>) => void
}

/** A middleware with an `after` hook, typed so that any middy stack takes it. */
export interface AfterMiddleware<Event = unknown> {
  readonly name: string
  readonly after: (request: Request<Event>) => void
}

/** One harmless departure of an event from the contract, absorbed by a normalizer. */
export interface Drift {
  /** RFC 6901 pointer to the value. */
  readonly pointer: string
  /** The kind of value that was there, never the value. */
  readonly was: string
  /** What the value became, in words. */
  readonly became: string
}

/** What other packages need to know about a family of events. */
export interface Family {
  /** The name in messages, such as `queue`. */
  readonly name: string
  /** Whether an event belongs to this family, valid or not. Cheap, and never throws. */
  readonly recognizes: (event: unknown) => boolean
  /** Top-level fields of the family's events, for errors about an event that no family recognizes. */
  readonly keys: readonly string[]
  /**
   * The correlation id of an event, which joins all log lines about it; undefined when the event has none. Never throws
   * on any JSON.
   */
  readonly correlationId: (event: unknown) => string | undefined
  /**
   * Advice about an event that the family does not recognize, or that has a provider's names instead of the contract's.
   * Never throws on any JSON.
   */
  readonly hint?: (event: unknown) => string | undefined
  /** The contract of the whole event. */
  readonly event: Mixed
  /**
   * Absorbs drift, in place, so that handlers see one shape; never throws on any JSON. Departures from the
   * contract are added to `drift` when it is given.
   */
  readonly normalize: (event: unknown, drift?: Drift[]) => void
}

/** The function at the core of a plugin. Its events are normalized and validated. */
export type BaseHandler = (event: never, context: InvocationContext, invocation: Invocation) => unknown

/**
 * What serves one family of events. `middlewares` run in middy's order: each `before` from first to last, then
 * `handler`, then each `after` from last to first. Middlewares that users add with `.use()` run between these and the
 * handler: they see normalized events, and what they change is checked.
 */
export interface Plugin<Result = unknown, Event = unknown, Response = Result> {
  readonly family: Family
  readonly middlewares: readonly Middleware[]
  readonly handler: BaseHandler
  /**
   * Adapts a middleware that users add to this family. It is called for every middleware, including those for
   * another family.
   * @throws InvalidOptionError for a middleware that cannot work here
   */
  readonly adapt?: (middleware: Middleware) => Middleware
  /** A type only, without a value: what the platform receives. */
  readonly result?: Result
  /** A type only, without a value: the event that middlewares see. */
  readonly event?: Event
  /** A type only, without a value: the response that middlewares see, before the plugin has made it the result. */
  readonly response?: Response
}
