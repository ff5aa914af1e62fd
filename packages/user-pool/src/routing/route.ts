import type { Hint } from '@signalbox/codec'
import type { Invocation, InvocationContext } from '@signalbox/core'
import type {
  FilledResponse,
  Key,
  Source,
  SourcesOf,
  TriggerEvent,
  TriggerOf,
  TriggerResponse,
  triggers,
} from '../contract/index.ts'

/**
 * The answer of a route: the response, or the event, whose `response` the route has filled. A route that has filled it
 * may return nothing, too. Senders may return anything, because the platform does not read it. For a trigger without an
 * expected answer, a route returns nothing or the event.
 */
export type Answer<K extends Key> = (typeof triggers)[TriggerOf<K>]['answer'] extends 'not read'
  ? unknown
  :
      | ((typeof triggers)[TriggerOf<K>]['answer'] extends 'none expected' ? never : TriggerResponse<K>)
      | AnsweredEvent<K>
      | Nothing

/** The event of a route, or a copy of it. Only its `response` is read. */
type AnsweredEvent<K extends Key> = {
  readonly triggerSource: SourcesOf<K>
  readonly userPoolId: string
  readonly userName: string
  readonly response: FilledResponse<TriggerOf<K>>
}

// biome-ignore lint/suspicious/noConfusingVoidType: functions that return nothing have this type and no other
type Nothing = void

/**
 * A route answers the events of its key in a route table. It is a function, or a middy handler with its own
 * middlewares. The event is normalized and validated. If the route throws, the invocation fails with the same error.
 */
export type Route<K extends Key> = {
  // This is a method, so that its parameters can be narrower, because middy handlers require the complete context
  // of the provider.
  route(
    event: TriggerEvent<SourcesOf<K>>,
    context: InvocationContext,
    invocation: Invocation,
  ): Answer<K> | Promise<Answer<K>>
}['route']

/**
 * Routes by trigger source, such as `PreSignUp_SignUp`, or by trigger, such as `PreSignUp`, for all its sources. The
 * route of a source has priority. `otherwise` answers all other sources. Without it, they fail with UnroutedError, so
 * that a forgotten PreAuthentication route denies every sign-in.
 */
export type Routes = { readonly [K in Key]?: Route<K> } & { readonly otherwise?: Otherwise }

/** A route table as its author writes it. The compile error for a handler in the types of AWS says what to write. */
export type WrittenRoutes = {
  readonly [K in keyof Routes]: Routes[K] | Hint<'for a handler of AWS, write awsRoute(…)'>
}

/** The route for sources without their own route. Its answer is checked against the contract of the source. */
export type Otherwise = (
  event: TriggerEvent<Source>,
  context: InvocationContext,
  invocation: Invocation,
) => unknown
