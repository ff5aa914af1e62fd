import type { Clock } from '@signalbox/core'
import type { Dispatch } from '../invocation/dispatch.ts'
import type { Random } from '../random.ts'

/** Where events come from. What a verdict means for the outside, its effect, is the source's affair too. */
export interface Source {
  /** Such as `load balancer web`. */
  readonly name: string
  /** Starts taking in. Answers where, in words for people and as a URL when there is one. */
  readonly start: () => Promise<Address>
  /** Takes in no more, and resolves when everything that is under way has had its effect, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
}

/** Where a source takes events in. */
export interface Address {
  readonly source: string
  readonly url: string
}

/** What every source works with. */
export interface SourceContext {
  readonly dispatch: Dispatch
  readonly clock: Clock
  readonly random: Random
  /** Tells whoever runs the platform something that is no invocation. */
  readonly notice: (text: string) => void
}
