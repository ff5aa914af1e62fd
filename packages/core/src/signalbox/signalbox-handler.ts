import type { InlineMiddleware, InvocationContext, Middleware, Request } from '../plugin.ts'

/** A middy handler: call it with an event, or wrap it further with any middy middleware. */
export interface SignalboxHandler<Result, Event = unknown, Response = Result> {
  (event: unknown, context?: InvocationContext): Promise<Result>
  /**
   * Adds middlewares. They see normalized events, and their changes to the response are still checked. Inline hooks
   * have the types of the plugin: its event, and its response before the plugin turns it into the form that the
   * platform expects.
   *
   * @example
   * handler.use({ before: ({ event }) => console.log(event) }).use(inputOutputLogger())
   * @throws InvalidOptionError for a middleware that cannot work here. The error says what to use instead
   */
  use(middlewares: InlineMiddleware<Event, Response>): SignalboxHandler<Result, Event, Response>
  use(middlewares: Middleware | readonly Middleware[]): SignalboxHandler<Result, Event, Response>
  before(hook: (request: Request<Event, Response>) => unknown): SignalboxHandler<Result, Event, Response>
  before(hook: NonNullable<Middleware['before']>): SignalboxHandler<Result, Event, Response>
  after(hook: (request: Request<Event, Response>) => unknown): SignalboxHandler<Result, Event, Response>
  after(hook: NonNullable<Middleware['after']>): SignalboxHandler<Result, Event, Response>
  onError(hook: (request: Request<Event, Response>) => unknown): SignalboxHandler<Result, Event, Response>
  onError(hook: NonNullable<Middleware['onError']>): SignalboxHandler<Result, Event, Response>
}
