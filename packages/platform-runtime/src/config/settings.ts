import type { AccessSettings } from '../access/identities.ts'
import type { ValuesOf } from '../fields/field.ts'
import type { TlsFiles } from '../fields/tls-files.ts'
import type { FunctionSettings } from '../invoker/function-settings.ts'
import type { ListenerAddress } from '../listener/listener-addresses.ts'
import type { Location } from '../location.ts'
import type { SourceConfig } from '../source/source-config.ts'
import type { OpenStorageEngine } from '../storage/storage-engine.ts'
import type { controlFields, invocationLogFields, runtimeFields } from './runtime-config.ts'

/** A configuration with its defaults filled in. Times are in milliseconds, and paths are absolute. */
export interface Settings
  extends OwnSettings,
    Omit<ValuesOf<typeof runtimeFields>, keyof OwnSettings | 'region' | 'account'> {}

/** The settings that are not the values of keys. */
interface OwnSettings {
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
  /** The listeners whose `open: true` has no effect. */
  readonly needlesslyOpen: readonly ListenerAddress[]
  /** The folder of the platform's files. Undefined for a platform that keeps its data in memory. */
  readonly dataDir: string | undefined
  /** The environment variables with secrets of the configuration, which functions do not get. */
  readonly secretVariables: readonly string[]
  /** Opens the selected storage engine. Undefined when the data is kept in files of `dataDir`. */
  readonly storage: OpenStorageEngine | undefined
  readonly invocationLog: ValuesOf<typeof invocationLogFields>
}

interface ControlSettings extends Omit<ValuesOf<typeof controlFields>, 'tls'> {
  readonly tls: TlsFiles | undefined
}
