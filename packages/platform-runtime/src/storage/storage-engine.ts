import type { Problem } from '@signalbox/codec'
import type { Clock } from '@signalbox/core'
import type { UncheckedObject } from '../fields/field-problems.ts'
import type { Address } from '../listener/address.ts'
import type { StorageTime } from './commit-times.ts'
import type { Transfer } from './transfer/transfer.ts'

/** Identifies a storage port, and carries the type of the function that opens its store. */
export interface StoragePort<Open> {
  readonly name: string
  /** This field is never set. It only carries the type. */
  readonly open?: Open
}

/** An open storage engine, which keeps the stores of several ports. Several platforms may share it. */
export interface StorageEngine {
  /**
   * Returns the function that opens the store of a port.
   * @throws Error when the engine does not implement the port
   */
  readonly opener: <Open>(port: StoragePort<Open>) => Open
  /** Shows this platform and its addresses to the other platforms that share the storage. */
  readonly announce?: (addresses: readonly Address[]) => Promise<void>
  /**
   * Returns the platforms that share the storage, the oldest first. Without this function, only one platform can use
   * the storage.
   */
  readonly platforms?: () => Promise<readonly SharingPlatform[]>
  /**
   * Reserves the storage for this process until `close`, for work that no platform may disturb. Platforms do not start
   * in the meantime.
   * @throws Error when another process has reserved the storage
   */
  readonly reserve?: () => Promise<StorageReservation>
  /** Returns all records of a port, for a copy. Returns undefined for a port without records that can be copied. */
  readonly transfer?: (port: string) => Transfer | undefined
  readonly close: () => Promise<void>
}

/** The reservation of a storage by this process. */
export interface StorageReservation {
  /** Throws an error when the reservation was lost. */
  readonly check: () => Promise<void>
  /** Sets whether the storage holds only a part of the data, so that no platform can open it. */
  readonly setIncomplete: (isIncomplete: boolean) => Promise<void>
}

/**
 * One of the platforms that share a storage. The clock of the storage measures all times, in milliseconds.
 */
export interface SharingPlatform {
  /** The name of the machine on which it runs. */
  readonly host: string
  readonly process: number
  readonly addresses: readonly Address[]
  /** Milliseconds since the epoch. */
  readonly started: number
  /** Milliseconds since the platform last renewed its entry in the storage. */
  readonly seen: number
  /** Whether the platform has recently renewed its entry. If it has not, other platforms take over its claims. */
  readonly isAlive: boolean
}

/** The parts of the platform that a storage engine uses. */
export interface StorageContext {
  /** The clock of a test. Undefined when the engine uses its own clock. */
  readonly clock: Clock | undefined
  /** Shows the operator a message about something other than an invocation. */
  readonly notice: (text: string) => void
  /** Whether the storage may hold only a part of the data, because a copy into it was stopped. Default false. */
  readonly allowsIncomplete?: boolean
  /** Called with how long the work of the engine took. */
  readonly observe?: StorageTime
}

/** A storage engine that a configuration can select with the key `storage`. */
export interface StorageEngineModule {
  /** Returns the problems of the engine's part of the configuration. */
  readonly problems: (part: UncheckedObject, pointer: string, root: string) => readonly Problem[]
  /** Returns the engine's configuration from environment variables. Returns undefined when they are not set. */
  readonly fromEnvironment: (environment: NodeJS.ProcessEnv) => UncheckedObject | undefined
  /** Connects, and prepares the storage. Several platforms may do this at the same time. */
  readonly open: (part: UncheckedObject, root: string, context: StorageContext) => Promise<StorageEngine>
}

/** Opens the engine that a configuration has selected. */
export type OpenStorageEngine = (context: StorageContext) => Promise<StorageEngine>
