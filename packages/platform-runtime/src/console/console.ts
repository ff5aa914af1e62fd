import type { RequestListener } from 'node:http'
import type { Clock } from '@signalbox/core'
import type { Access } from '../access/access.ts'
import type { PlatformFamilies } from '../families/platform-families.ts'
import type { Invocation } from '../invocation/invocation.ts'
import type { InvocationLogEntry } from '../invocation-log/entry.ts'
import type { InvocationLogReader } from '../invocation-log/invocation-log.ts'
import type { FunctionSettings } from '../invoker/function-settings.ts'
import type { Random } from '../random.ts'
import type { SharingPlatform } from '../storage/storage-engine.ts'
import type { AnyConsolePart } from './console-part.ts'
import type { SessionTable } from './session-storage.ts'

/** The data of a function that the console shows. */
export interface ConsoleFunction extends Pick<FunctionSettings, 'name' | 'timeout' | 'memory' | 'dialect'> {
  /** The families of the events that sources send to the function, according to the configuration. */
  readonly families: readonly string[]
  /** The maximum number of instances. */
  readonly most: number
  /** Returns the current number of instances, including idle ones. */
  readonly instances: () => number
  /** Returns the number of instances started so far. Each of them was a cold start. */
  readonly started: () => number
}

/** The parts of the platform that the console uses. */
export interface ConsoleContext {
  readonly invocationLog: Pick<InvocationLogReader, 'get' | 'search' | 'scan' | 'trace'>
  readonly functions: readonly ConsoleFunction[]
  /** What the sources bring. */
  readonly parts: readonly AnyConsolePart[]
  readonly families: () => Promise<PlatformFamilies>
  readonly invoke: (
    functionName: string,
    event: unknown,
    options: { readonly source: string },
  ) => Promise<Invocation>
  /** Calls `onWritten` with each new entry of the log. Call the returned function to stop. */
  readonly watch: (onWritten: (entry: InvocationLogEntry) => void) => () => void
  /** Returns how often the functions were reloaded since the platform started. */
  readonly reloads: () => number
  readonly clock: Clock
  /** The links and sessions of the console. Platforms with the same storage share them. */
  readonly sessions: SessionTable
  /** Identifies clients. Undefined for a configuration without `access`. */
  readonly access?: Access | undefined
  /** The origin at which browsers reach the console through a proxy. Undefined without a proxy. */
  readonly origin?: string | undefined
  /** Returns the platforms that share the storage. Undefined for a storage that only one platform can use. */
  readonly platforms?: (() => Promise<readonly SharingPlatform[]>) | undefined
  readonly random: Random
  /** Shows a message to the operator. */
  readonly notice: (text: string) => void
}

export interface Console {
  /** Answers the requests below `/console`. The control address has already checked their Host headers. */
  readonly serve: RequestListener
  /**
   * Returns a new link that opens the console and can be used only once.
   * @param url the URL of the control address
   */
  readonly link: (url: string) => Promise<string>
  /** Ends all live connections. */
  readonly close: () => void
}

export type OpenConsole = (context: ConsoleContext) => Console
