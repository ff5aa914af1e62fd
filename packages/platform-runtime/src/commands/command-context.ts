import type { AccessLogEntry, AccessLogQuery } from '../access/access-record.ts'
import type { KeyStore } from '../access/key-store.ts'
import type { CommandIn, Option } from '../command-line/command.ts'
import type { Terminal } from '../command-line/terminal.ts'
import type { LoadedConfig } from '../config/load-config.ts'
import type { Settings } from '../config/settings.ts'
import type { NamedDialect } from '../dialect/dialect.ts'
import type { PlatformFamilies } from '../families/platform-families.ts'
import type { InvocationLogReader } from '../invocation-log/invocation-log.ts'
import type { PlatformOptions, RuntimePlatform } from '../platform/runtime-platform.ts'

/** A loaded configuration, with the functions that commands need. */
export interface Project extends LoadedConfig {
  readonly settings: Settings
  /**
   * Opens the invocation log of the project, even while the platform is running. Returns undefined if nothing has been
   * logged yet.
   * @throws Error when the configuration keeps the log in memory
   */
  readonly invocationLog: () => Promise<InvocationLogReader | undefined>
  /**
   * Calls a function with the stored keys of the project's identities, even while the platform is running.
   * @throws Error when the configuration has no identities, or keeps its data in memory
   */
  readonly withKeys: <T>(work: (store: KeyStore) => T | Promise<T>) => Promise<T>
  /** Returns the latest entries of the access log, in chronological order. */
  readonly accessLog: (query?: AccessLogQuery) => Promise<readonly AccessLogEntry[]>
  /** Creates the platform of the configuration, without starting it. */
  readonly platform: (options?: Omit<PlatformOptions, 'root'>) => RuntimePlatform
}

/** The file of a configuration, or a function that loads it. */
export type ConfigSource = string | (() => Promise<LoadedConfig>)

/** The terminal, the configuration and the sources that a command can use. */
export interface CommandContext extends Terminal {
  /**
   * Reads the given configuration, or else the configuration in the working folder.
   * @throws Error that says what is missing or wrong, with the name of the file
   */
  readonly project: (source?: ConfigSource) => Promise<Project>
  readonly families: () => Promise<PlatformFamilies>
  /** The dialects of events, by name. */
  readonly dialects: { readonly [name: string]: NamedDialect }
}

/** A command of the platform or of one of its sources. */
export type Command = CommandIn<CommandContext>

/** Defines a command whose values have the types of its options. */
export function defineCommand<const O extends { readonly [name: string]: Option }>(
  command: CommandIn<CommandContext, O>,
): Command {
  return command as unknown as Command
}
