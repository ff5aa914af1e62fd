import type { Dialect } from '../dialect/dialect.ts'
import type { Handler } from '../invoker/in-process.ts'
import type { Location } from '../location.ts'
import type { SourceConfig } from '../source/source-config.ts'
import type { ControlConfig } from './runtime-config.ts'

/** A configuration with nothing left open: defaults filled in, times in milliseconds, paths absolute. */
export interface Settings {
  /** The folder that relative paths started at. */
  readonly root: string
  readonly functions: readonly FunctionSettings[]
  readonly location: Location
  /** What a source is to do; undefined when the configuration asks for nothing of it. */
  readonly of: <S>(source: SourceConfig<S>) => S | undefined
  /** Where the control address listens; undefined when nothing answers there. */
  readonly control: Required<ControlConfig> | undefined
  /** Undefined when nothing is to be kept. */
  readonly dataDir: string | undefined
  readonly invocationLog: { readonly age: number; readonly size: number }
  readonly grace: number
  readonly watch: readonly string[]
}

export interface FunctionSettings {
  readonly name: string
  readonly code: { readonly handler: Handler } | { readonly module: string; readonly exportName: string }
  readonly timeout: number
  readonly instances: number
  readonly wait: number
  readonly memory: number
  readonly env: { readonly [name: string]: string }
  readonly dialect: Dialect | undefined
}
