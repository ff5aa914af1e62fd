import type { CommandIn } from '../command-line/command.ts'
import type { OpenConsole } from '../console/console.ts'
import type { AnyConsolePart } from '../console/console-part.ts'
import type { ControlApi } from '../control/control-api.ts'
import type { ControlRoute } from '../control/documents.ts'
import type { TestPart } from '../control/test-part.ts'
import type { Dialect, NamedDialect } from '../dialect/dialect.ts'
import type { PlatformFamily } from '../families/platform-family.ts'
import type { Executions } from '../invocation/executions.ts'
import type { Metric } from '../metrics/metric.ts'
import type { DataDirectory } from '../storage/data-directory.ts'
import type { StorageEngine, StorageEngineModule } from '../storage/storage-engine.ts'
import type { TransferableStore } from '../storage/transfer/transferable-store.ts'
import type { OutboundMailer } from './outbound-mail.ts'
import type { QueueSender } from './queue-sender.ts'
import type { SignInPools } from './sign-in-pools.ts'
import type { Source, SourceContext } from './source.ts'
import type { SourceConfig } from './source-config.ts'
import type { Starter } from './starter.ts'

/** The services of a source for other sources and for the platform, which do not import it. */
export interface Services {
  readonly queues?: QueueSender
  readonly outboundMail?: OutboundMailer
  readonly executions?: Executions
  readonly signIn?: SignInPools
}

/** A source that has been opened. */
export interface OpenedSource<Access extends object> {
  /** The parts that start and stop with the platform. */
  readonly sources: readonly Source[]
  /** The functions that the configuration lets the source call, with events of its family. */
  readonly functions?: readonly string[]
  /** Properties that the source adds to the platform, for programs. */
  readonly access: Access
  /** The documents of this source at the control address. */
  readonly control?: readonly ControlRoute[]
  /** The APIs of this source at the control address. */
  readonly apis?: readonly ControlApi[]
  /** Loads what this source brings to the console. Called only by a platform that runs with its console. */
  readonly console?: () => Promise<AnyConsolePart>
  /** Reads the metrics of this source's stores. What happens is counted by the `meter` of the context. */
  readonly metrics?: () => Promise<readonly Metric[]>
  /** Loads what this source brings to the test interface. Called only by a platform with `control.testing`. */
  readonly tests?: () => Promise<TestPart>
  /** The services of this source for other sources, while it runs. */
  readonly services?: Services
}

/** The arguments for opening a source. */
export interface OpenContext extends SourceContext {
  readonly directory: DataDirectory
  /**
   * Opens the selected storage engine when it is first called. Undefined when the data is kept in files of the data
   * directory.
   */
  readonly engine: (() => Promise<StorageEngine>) | undefined
  /** Returns the dialect of a function. Undefined for a function that uses the contract's names. */
  readonly dialectOf: (functionName: string) => Dialect | undefined
  /** The environment variables of functions. A source adds to them before it calls a function. */
  readonly environment: { [name: string]: string }
  /** The services of all sources. The object is empty while sources are opened, and complete when they start. */
  readonly services: Services
}

/**
 * Everything that the platform knows about one source: its part of the configuration, its stores and listeners, its
 * commands, and its family. See docs/decisions/core-and-middlewares.md#sources-are-modules.
 */
export interface SourceModule<Settings = unknown, Access extends object = object> {
  readonly config: SourceConfig<Settings>
  /**
   * Loads the family when an event is recognized, checked or made. A source whose events may have any form has no
   * family.
   */
  readonly family?: () => Promise<PlatformFamily>
  /** Loads the commands for a command line that names no command of the platform itself. */
  readonly commands?: () => Promise<readonly CommandIn<never>[]>
  /** Loads the stores whose records `signalbox storage copy` copies. */
  readonly records?: () => Promise<readonly TransferableStore[]>
  /** The parts of new projects with this source. Without it, `signalbox init` does not offer the source. */
  readonly starter?: Starter
  /**
   * Makes the source without starting it. `settings` is undefined when the configuration does not use the source. The
   * code that receives and stores is loaded on start, because the modules of all sources are in the memory of every
   * platform.
   */
  readonly open: (settings: Settings | undefined, context: OpenContext) => OpenedSource<Access>
}

/** A source module with any settings, for lists. */
// biome-ignore lint/suspicious/noExplicitAny: a module's settings are its own.
export type AnySourceModule = SourceModule<any>

/** The sources and dialects of a platform. */
export interface Program {
  /** Every source that a configuration can use. */
  readonly modules: readonly AnySourceModule[]
  /** The dialects that a function can name. */
  readonly dialects: { readonly [name: string]: NamedDialect }
  /** Loads the console. Absent for a program without a console. */
  readonly console?: () => Promise<OpenConsole>
  /** The storage engines by the names that a configuration can select. Keeping data in files needs no engine. */
  readonly engines?: { readonly [name: string]: StorageEngineModule }
  /**
   * Reads a configuration from a file that is no module, such as a template, and returns the folder to which its paths are
   * relative. Absent when there are no such files.
   * @param file the absolute path of a file in YAML or JSON
   */
  readonly readFile?: (
    file: string,
  ) => Promise<{ readonly config: object; readonly file: string; readonly root: string }>
}
