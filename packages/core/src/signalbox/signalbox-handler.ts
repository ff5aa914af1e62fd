import type { InlineMiddleware, InvocationContext, Middleware, Request } from '../plugin.ts'

/** A middy handler: call it with an event, or wrap it further with any middy middleware. */
export interface SignalboxHandler<Result, Event = unknown> {
  (event: unknown, context?: InvocationContext): Promise<Result>
  /**
   * Adds middlewares. They see normalized events, and what they change in the response is still checked. Hooks that are
   * written in place have the event of the plugin's family.
   *
   * @example
   * handler.use({ before: ({ event }) => console.log(event) }).use(inputOutputLogger())
   * @throws InvalidOptionError for a middleware that cannot work here, with what to use instead
   */
  use(middlewares: InlineMiddleware<Event, Result>): SignalboxHandler<Result, Event>
  use(middlewares: Middleware | readonly Middleware[]): SignalboxHandler<Result, Event>
  before(hook: (request: Request<Event, Result>) => unknown): SignalboxHandler<Result, Event>
  before(hook: NonNullable<Middleware['before']>): SignalboxHandler<Result, Event>
  after(hook: (request: Request<Event, Result>) => unknown): SignalboxHandler<Result, Event>
  after(hook: NonNullable<Middleware['after']>): SignalboxHandler<Result, Event>
  onError(hook: (request: Request<Event, Result>) => unknown): SignalboxHandler<Result, Event>
  onError(hook: NonNullable<Middleware['onError']>): SignalboxHandler<Result, Event>
}
