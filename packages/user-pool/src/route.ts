import type { Invocation, InvocationContext } from '@signalbox/core'
import type {
  Key,
  Source,
  SourcesOf,
  TriggerEvent,
  TriggerOf,
  TriggerResponse,
  triggers,
} from './contract/index.ts'

/**
 * What a route of this key may answer. Senders may return anything, because nobody reads it. A trigger whose
 * answer is all optional may return nothing, and those of which no answer is expected must.
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
 * What answers the events of a key: a plain function, or a middy handler with middlewares of its own. Its event
 * was normalized and validated. Whatever it throws fails the invocation as it is.
 */
export type Route<K extends Key> = {
  // A method, because its parameters may be narrower: middy handlers want the provider's whole context.
  route(
    event: TriggerEvent<SourcesOf<K>>,
    context: InvocationContext,
    invocation: Invocation,
  ): Answer<K> | Promise<Answer<K>>
}['route']

/**
 * Routes by trigger source, such as `PreSignUp_SignUp`, or by trigger, such as `PreSignUp`, for all its sources;
 * the exact one wins. `otherwise` answers the rest; without it they fail with UnroutedError, so that a forgotten
 * PreAuthentication route lets nobody in.
 */
export type Routes = { readonly [K in Key]?: Route<K> } & { readonly otherwise?: Otherwise }

/** The route of sources that have none of their own. What it answers is held against the source's own contract. */
export type Otherwise = (
  event: TriggerEvent<Source>,
  context: InvocationContext,
  invocation: Invocation,
) => unknown
