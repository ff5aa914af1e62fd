import type { Problem } from '@signalbox/codec'
import type { Family } from '@signalbox/core'
import type { Verdict } from './verdict.ts'

/** The functions of one family that the platform uses. */
export interface PlatformFamily extends Family {
  /** Milliseconds that the contract allows for an event. Undefined when the contract sets no limit. */
  readonly timeLimit?: number
  /** Returns the verdict on the payload that a function returned for this valid event. */
  readonly verdict: (payload: string, event: never) => Omit<Verdict, 'family'>
  /**
   * Returns the places where a payload with a negative verdict breaks the contract. The list is empty for a payload
   * that is not JSON.
   */
  readonly problems?: (payload: string, event: never) => readonly Problem[]
  /**
   * Returns the codec of a valid event in a family that has a separate codec for each kind of event. Other families
   * use `event` for all events.
   */
  readonly eventCodec?: (event: never) => Family['event']
  /** Describes a recognized event in a few words, such as `GET /orders`. Never throws. */
  readonly summarize: (event: { readonly [name: string]: unknown }) => string
  /** Functions that make valid events, by the names that `signalbox sample` takes. */
  readonly samples: { readonly [name: string]: () => Promise<unknown> }
}
