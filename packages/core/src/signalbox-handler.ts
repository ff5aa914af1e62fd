import type { InvocationContext, Middleware } from './plugin.ts'

/** A middy handler: call it with an event, or wrap it further with any middy middleware. */
export interface SignalboxHandler<Result> {
  (event: unknown, context?: InvocationContext): Promise<Result>
  /**
   * Adds middlewares. They see normalized events, and their changes are still checked on the way out.
   * @throws InvalidOptionError for one that cannot do here what it promises, with what to use instead
   */
  use(middlewares: Middleware | readonly Middleware[]): SignalboxHandler<Result>
  before(hook: NonNullable<Middleware['before']>): SignalboxHandler<Result>
  after(hook: NonNullable<Middleware['after']>): SignalboxHandler<Result>
  onError(hook: NonNullable<Middleware['onError']>): SignalboxHandler<Result>
}
