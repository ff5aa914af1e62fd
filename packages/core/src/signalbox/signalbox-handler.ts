import type { InlineMiddleware, InvocationContext, Middleware, Request } from '../plugin.ts'

/** A middy handler: call it with an event, or wrap it further with any middy middleware. */
export interface SignalboxHandler<Result, Event = unknown, Response = Result> {
  (event: unknown, context?: InvocationContext): Promise<Result>
  /**
   * Adds middlewares. They see normalized events, and what they change in the response is still checked. Hooks that are
   * written in place have the event of the plugin's family, and its response before the platform's form is made of it.
   *
   * @example
   * handler.use({ before: ({ event }) => console.log(event) }).use(inputOutputLogger())
   * @throws InvalidOptionError for a middleware that cannot work here, with what to use instead
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
