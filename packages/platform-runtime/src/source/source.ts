import type { Clock } from '@signalbox/core'
import type { Access } from '../access/access.ts'
import type { Dispatch } from '../invocation/dispatch.ts'
import type { Address } from '../listener/address.ts'
import type { Random } from '../random.ts'

/** Receives requests or messages, makes events from them, and carries out each verdict. */
export interface Source {
  /** The name, such as `load balancer web`. */
  readonly name: string
  /** Starts receiving. Returns the address of the source. */
  readonly start: () => Promise<Address>
  /** Stops receiving. Resolves when every running event has ended, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
}

/** The parts of the platform that every source gets. */
export interface SourceContext {
  readonly dispatch: Dispatch
  readonly clock: Clock
  readonly random: Random
  /** Shows the operator a message about something other than an invocation. */
  readonly notice: (text: string) => void
  /**
   * Identifies clients. Undefined for a configuration without the key `access`, in which case clients are not
   * authenticated.
   */
  readonly access?: Access | undefined
}
