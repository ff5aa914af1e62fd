import type { Invocation, InvocationContext } from '@signalbox/core'
import type {
  Key,
  Source,
  SourcesOf,
  TriggerEvent,
  TriggerOf,
  TriggerResponse,
  triggers,
} from '../contract/index.ts'

/**
 * The answer of a route. Senders may return anything, because the platform does not read it. For a trigger whose fields
 * are all optional, a route may return undefined. For a trigger without an expected answer, it must return undefined.
 */
export type Answer<K extends Key> = (typeof triggers)[TriggerOf<K>]['answer'] extends 'not read'
  ? unknown
  : (typeof triggers)[TriggerOf<K>]['answer'] extends 'none expected'
    ? Nothing
    : Record<never, never> extends TriggerResponse<K>
      ? TriggerResponse<K> | Nothing
      : TriggerResponse<K>

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

/** The route for sources without their own route. Its answer is checked against the contract of the source. */
export type Otherwise = (
  event: TriggerEvent<Source>,
  context: InvocationContext,
  invocation: Invocation,
) => unknown
