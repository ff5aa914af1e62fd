import type { AccessSettings } from '../access/identities.ts'
import type { ListenerLimitsConfig } from '../fields/limits.ts'
import type { TlsFiles } from '../fields/tls-files.ts'
import type { FunctionSettings } from '../invoker/function-settings.ts'
import type { ListenerAddress } from '../listener/listener-addresses.ts'
import type { Location } from '../location.ts'
import type { SourceConfig } from '../source/source-config.ts'
import type { OpenStorageEngine } from '../storage/storage-engine.ts'
import type { ControlConfig } from './runtime-config.ts'

/** A configuration with its defaults filled in. Times are in milliseconds, and paths are absolute. */
export interface Settings {
  /** The folder to which relative paths refer. */
  readonly root: string
  readonly functions: readonly FunctionSettings[]
  readonly location: Location
  /** Returns the settings of a source. Returns undefined when the configuration does not use the source. */
  readonly of: <S>(source: SourceConfig<S>) => S | undefined
  /** The host and port of the control address. Undefined when no source needs it. */
  readonly control: ControlSettings | undefined
  /** The identities of clients. Undefined when clients are not authenticated. */
  readonly access: AccessSettings | undefined
  /** The listeners that serve without a key what is not public. */
  readonly unauthenticated: readonly ListenerAddress[]
  /** The folder of the platform's files. Undefined for a platform that keeps its data in memory. */
  readonly dataDir: string | undefined
  /** The environment variables with secrets of the configuration, which functions do not get. */
  readonly secretVariables: readonly string[]
  /** Opens the selected storage engine. Undefined when the data is kept in files of `dataDir`. */
  readonly storage: OpenStorageEngine | undefined
  readonly invocationLog: { readonly age: number; readonly size: number }
  readonly grace: number
  readonly drain: number
  readonly watch: readonly string[]
}

export interface ControlSettings extends Required<Omit<ControlConfig, 'limits' | 'tls' | 'origin'>> {
  readonly origin?: string | undefined
  readonly limits?: ListenerLimitsConfig | undefined
  readonly tls?: TlsFiles | undefined
}
