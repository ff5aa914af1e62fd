import type { Clock } from '@signalbox/core'
import type { Access } from '../access/access.ts'
import type { Dispatch } from '../invocation/dispatch.ts'
import type { Address } from '../listener/address.ts'
import type { Meter } from '../metrics/meter.ts'
import type { Random } from '../random.ts'
import type { Traces } from '../traces/traces.ts'

/** Receives requests or messages, makes events from them, and carries out each verdict. */
export interface Source {
  /** The name, such as `load balancer web`. */
  readonly name: string
  /** Loads the code of the source, while the functions are loaded. Absent if `start` alone does that. */
  readonly load?: () => Promise<unknown>
  /** Starts receiving. Returns the address of the source. */
  readonly start: () => Promise<Address>
  /** Stops receiving. Resolves when every running event has ended, or after `grace` milliseconds. */
  readonly stop: (grace: number) => Promise<void>
}

/** The parts of the platform that every source gets. */
export interface SourceContext {
  readonly dispatch: Dispatch
  /**
   * The clock of due times, delays and expiries: of messages, retries, codes, sessions and tokens. `signalbox dev --clock
   * manual` makes it stand still until a test moves it.
   */
  readonly clock: Clock
  /**
   * The clock of connections, requests, time limits of functions, signatures and certificates, which never stands still
   * while clients and functions wait. The same as `clock` unless a test moves the time.
   */
  readonly machineClock: Clock
  readonly random: Random
  /** Shows the operator a message about something other than an invocation. */
  readonly notice: (text: string) => void
  /**
   * Identifies clients. Undefined for a configuration without the key `access`, in which case clients are not
   * authenticated.
   */
  readonly access?: Access | undefined
  /** Records spans. Undefined while no spans are sent, and then nothing is to be done for them. */
  readonly traces?: Traces | undefined
  /** Counts for `GET /metrics`. Undefined where nobody reads them, such as in a command. */
  readonly meter?: Meter
}
