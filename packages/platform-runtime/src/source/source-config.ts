import type { Problem } from '@signalbox/codec'
import type { ResourceRights } from '../access/rights.ts'
import type { Fields } from '../fields/field.ts'
import type { UncheckedObject } from '../fields/field-problems.ts'
import type { TimedFunctions } from '../invoker/function-config.ts'
import type { ListenerAddress } from '../listener/listener-addresses.ts'
import type { Location } from '../location.ts'
import type { ClientReference } from './sign-in-pools.ts'

/** The part of the configuration that belongs to a source. */
export interface SourceConfig<Settings> {
  /** Identifies the source, such as `queue`. */
  readonly name: string
  /** The top-level keys that the source owns. */
  readonly fields: Fields
  /** Returns the problems of these keys. The default time-outs of `functions` are filled in. */
  readonly problems: (config: UncheckedObject, functions: UncheckedObject) => readonly Problem[]
  /** Returns the problems of the files that these keys name. Called only when there are no other problems. */
  readonly fileProblems?: (config: UncheckedObject, root: string) => readonly Problem[]
  /** Returns the addresses that the source listens on, which may be invalid. */
  readonly listeners: (config: UncheckedObject) => readonly ListenerAddress[]
  /** The rights that identities can have over the resources of the source. */
  readonly rights?: readonly ResourceRights[]
  /**
   * Returns the default time-outs, in seconds, of the functions for which the source allows more time than usual, by
   * name.
   */
  readonly timeouts?: (config: UncheckedObject) => ReadonlyMap<string, number>
  /** Returns the clients of the source's pools by the names of the pools, for other sources that sign users in. */
  readonly clients?: (config: UncheckedObject) => { readonly [pool: string]: readonly string[] }
  /** Returns the clients of other sources' pools by which the source signs users in. */
  readonly usesClients?: (config: UncheckedObject) => readonly ClientReference[]
  /** Returns whether a configuration with this source needs no function. */
  readonly standsAlone?: (config: UncheckedObject) => boolean
  /** Returns whether the source serves documents at the control address. */
  readonly needsControl?: (config: UncheckedObject) => boolean
  /**
   * Returns the values of the keys, with defaults filled in. Returns undefined when the configuration does not use the
   * source.
   */
  readonly settings: (
    config: UncheckedObject,
    functions: TimedFunctions,
    root: string,
    location: Location,
  ) => Settings | undefined
}
