import type { Mixed } from 'io-ts'

/**
 * The data about an invocation that the platform gives to a function in addition to the event. Every field is
 * optional.
 */
export interface InvocationContext {
  readonly functionName?: string
  /** Identifies this invocation, and stays the same when the platform retries it. */
  readonly requestId?: string
  /** On AWS: the provider's id of the request. */
  readonly awsRequestId?: string
  /** On AWS: the ARN with which the function was invoked, including its version or alias. */
  readonly invokedFunctionArn?: string
  /** The tenant for whom the function runs, if the client of the Invoke API named one. */
  readonly tenantId?: string | undefined
  /** On the platform: the span of the invocation, as the value of a header `traceparent` (https://www.w3.org/TR/trace-context). */
  readonly traceparent?: string
  /** Returns the milliseconds until the platform ends the invocation. It is called without `this`. */
  readonly getRemainingTimeInMillis?: () => number
}

/** The third argument of a route or message handler, after the event and the context. */
export interface Invocation {
  /** Aborts shortly before the platform ends the invocation. */
  readonly signal: AbortSignal
}

/** The request that middy passes to the hooks of middlewares. */
export interface Request<Event = unknown, Response = unknown> {
  event: Event
  context: InvocationContext
  response: Response | undefined
  error: unknown
  readonly internal: Record<string, unknown>
}

/** Any middy middleware. Because the parameter type is `never`, hooks can have any parameter type. */
export interface Middleware {
  readonly name?: string
  readonly before?: (request: never) => unknown
  readonly after?: (request: never) => unknown
  readonly onError?: (request: never) => unknown
}

/** A middleware that is written inside the call, such as `.use({ before: ({ event }) => … })`. */
export interface InlineMiddleware<Event, Response> {
  readonly name?: string
  readonly before?: (request: Request<Event, Response>) => unknown
  readonly after?: (request: Request<Event, Response>) => unknown
  readonly onError?: (request: Request<Event, Response>) => unknown
}

/**
 * A request without its context, for the types of hooks: middy takes the type of the context from the hooks of a stack, and
 * these leave it to the stack.
 */
export type HookRequest<Event = unknown, Response = unknown> = Omit<Request<Event, Response>, 'context'>

/** A middleware with a `before` hook. Its type fits every middy stack. */
export interface BeforeMiddleware<Event = unknown> {
  readonly name: string
  // A method, so that the hook of a middleware may read the context.
  before(request: HookRequest<Event>): void | Promise<void>
}

/** A middleware with an `after` hook. Its type fits every middy stack. */
export interface AfterMiddleware<Event = unknown> {
  readonly name: string
  after(request: HookRequest<Event>): void
}

/** A harmless departure of an event from the contract, which a normalizer repairs. */
export interface Drift {
  /** The JSON pointer (RFC 6901) to the value. */
  readonly pointer: string
  /** The kind of value that was there, never the value. */
  readonly was: string
  /** A description of the new value. */
  readonly became: string
}

/** A family of events: the functions and data about it that other packages need. */
export interface Family {
  /** The name of the family in messages, such as `queue`. */
  readonly name: string
  /** Returns whether an event belongs to this family, even if it is invalid. It is fast and never throws. */
  readonly recognizes: (event: unknown) => boolean
  /** The top-level fields of the events, for errors about an event that no family recognizes. */
  readonly keys: readonly string[]
  /** What identifies an event of the family, for the same errors, such as `triggerSource`. */
  readonly identifiedBy?: string
  /**
   * Returns the correlation id of an event, which all log lines about the event share, or undefined. Never throws for
   * an event that was parsed from JSON.
   */
  readonly correlationId: (event: unknown) => string | undefined
  /**
   * Returns advice about an event that the family does not recognize, or whose field names are those of a cloud
   * provider. Never throws for an event that was parsed from JSON.
   */
  readonly hint?: (event: unknown) => string | undefined
  /** The codec of the whole event, as the contract describes it. */
  readonly event: Mixed
  /**
   * Repairs harmless departures from the contract in place, so that handlers see one shape, and adds them to `drift`.
   * Never throws for an event that was parsed from JSON.
   */
  readonly normalize: (event: unknown, drift?: Drift[]) => void
}

/** The function at the core of a plugin. Its events are normalized and validated. */
export type BaseHandler = (event: never, context: InvocationContext, invocation: Invocation) => unknown

/**
 * A plugin serves one family of events. `middlewares` run in middy's order: each `before` from first to last, then
 * `handler`, then each `after` from last to first. Middlewares that users add with `.use()` run between these and the
 * handler. They see normalized events, and their changes are checked.
 */
export interface Plugin<Result = unknown, Event = unknown, Response = Result> {
  readonly family: Family
  readonly middlewares: readonly Middleware[]
  readonly handler: BaseHandler
  /**
   * Adapts a middleware that a user adds with `.use()`. It is called for every middleware, including those for other
   * families.
   * @throws InvalidOptionError for a middleware that cannot work here
   */
  readonly adapt?: (middleware: Middleware) => Middleware
  /** The type of the result that the platform receives. This property has no value. */
  readonly result?: Result
  /** The type of the event that middlewares see. This property has no value. */
  readonly event?: Event
  /**
   * The type of the response that middlewares see, before the plugin turns it into the result. This property has no
   * value.
   */
  readonly response?: Response
}
