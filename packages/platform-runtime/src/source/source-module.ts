import type { Command } from '../command-line/command.ts'
import type { ControlRoute } from '../control/control.ts'
import type { NamedDialect } from '../dialect/dialect.ts'
import type { DataDirectory } from '../storage/data-directory.ts'
import type { PlatformFamily } from './platform-family.ts'
import type { Source, SourceContext } from './source.ts'
import type { SourceConfig } from './source-config.ts'

/** A source that a platform has opened. */
export interface OpenedSource<Access extends object> {
  /** What starts and stops with the platform. */
  readonly sources: readonly Source[]
  /** What the platform offers to programs, by the names of its properties. */
  readonly access: Access
  /** What the control address answers for this source. */
  readonly control?: readonly ControlRoute[]
}

/** What a source opens with. */
export interface OpenContext extends SourceContext {
  readonly directory: DataDirectory
  /** What functions find in their environment; a source adds to it before it calls one. */
  readonly environment: { [name: string]: string }
}

/**
 * One source of events, with everything of its own: its part of the configuration, its stores and listeners, its
 * commands, and what its family's events and verdicts look like. The platform knows it by nothing else.
 */
export interface SourceModule<Settings = unknown, Access extends object = object> {
  readonly config: SourceConfig<Settings>
  /** Loaded when an event is to be recognized, judged or made. */
  readonly family: () => Promise<PlatformFamily>
  readonly commands: readonly Command[]
  /** Makes the source, and starts nothing. `settings` is undefined when the configuration does not ask for it. */
  readonly open: (settings: Settings | undefined, context: OpenContext) => OpenedSource<Access>
}

/** Any source module, as a list of them holds it. */
// biome-ignore lint/suspicious/noExplicitAny: a module's settings are its own.
export type AnySourceModule = SourceModule<any>

/** What a platform is made of. */
export interface Program {
  /** Every source that a configuration can ask for. */
  readonly modules: readonly AnySourceModule[]
  /** The dialects that a function can name. */
  readonly dialects: { readonly [name: string]: NamedDialect }
}
