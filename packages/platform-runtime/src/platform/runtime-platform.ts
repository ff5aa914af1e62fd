import type { Clock } from '@signalbox/core/base'
import type { Settings } from '../config/settings.ts'
import type { Invocation } from '../invocation/invocation.ts'
import type { InvocationLogEntry } from '../invocation-log/entry.ts'
import type { InvocationLogReader } from '../invocation-log/invocation-log.ts'
import type { LogLine } from '../invoker/invoker.ts'
import type { Address } from '../listener/address.ts'
import type { Random } from '../random.ts'

/** Options of a platform in addition to its configuration. Tests replace the clock and the random source. */
export interface PlatformOptions {
  /** The folder to which relative paths in the configuration refer. Default: the working folder. */
  readonly root?: string
  /** The clock of due times, delays and expiries. Default: the machine's clock. */
  readonly clock?: Clock
  /**
   * The clock of connections, of the time-outs of functions, of signatures and certificates, and of the invocation log.
   * Default: `clock`. A test whose `clock` stands still, and whose functions or clients are other processes, gives
   * `systemClock`.
   */
  readonly machineClock?: Clock
  readonly random?: Random
  /** Called with each invocation after it was logged. An error that it throws goes to `onNotice`. */
  readonly onInvocation?: (entry: InvocationLogEntry) => void
  /**
   * Called with what a function wrote during an invocation, before the invocation is logged. The output is not masked and
   * may contain passwords and codes, so that it is for development only.
   */
  readonly onOutput?: (requestId: string, logs: readonly LogLine[]) => void
  /** Called with the request id of an event that waited for an instance to start, before the invocation is logged. */
  readonly onColdStart?: (requestId: string) => void
  /** Called with a sentence that an operator should read. Not called for invocations. */
  readonly onNotice?: (text: string) => void
  /**
   * Loads each function of a `module` once when the platform starts, and says what happens when one cannot be loaded.
   * With `refuse`, the platform does not start. With `notice`, the start and each reload report it to `onNotice`, and
   * `/readyz` answers 503 until a reload has mended it. By default, a function is loaded with its first event.
   */
  readonly unloadable?: 'refuse' | 'notice'
  /**
   * Says what happens when a listener has neither `access` nor `open: true`, although queues, functions, documents or
   * the operations of administrators can be used there. With `refuse`, `createPlatform` throws an InvalidConfigError.
   * With `notice`, the start reports it to `onNotice`. By default, such a listener serves this machine, as tests need it,
   * and without a word. In every case it refuses requests that say that they came through a proxy.
   */
  readonly unauthenticated?: 'refuse' | 'notice'
  /**
   * Whether to serve the console at the control address, which always exists in that case. Default: the value of
   * `control.console` in the configuration. Without `control.port`, the console takes another free port when the
   * default one is in use.
   */
  readonly console?: boolean
  /**
   * The functions to which a debugger can attach, by name, or `true` for all functions with a `module`. Each gets a port
   * of its own on loopback, from 9229 on, which `start()` returns as `inspector NAME`. Such a function runs in one
   * instance, and no time limit of its own applies while a debugger is attached. For development only: a debugger can run
   * any code.
   */
  readonly inspect?: true | readonly string[]
}

/** A platform with any sources. */
export interface RuntimePlatform {
  /**
   * Starts the sources, and returns their addresses, and those of the control address and of inspectors.
   * @throws DataDirectoryInUseError, or an error that says which source cannot start, or which function cannot be loaded
   * if the option `unloadable` is `refuse`. Also an Error, which changes nothing, when it was started or stopped before
   * @example
   * const addresses = await platform.start()
   * const web = addresses.find(({ source }) => source === 'load balancer web')
   */
  readonly start: () => Promise<readonly Address[]>
  /** Accepts no more events, waits for running invocations within the grace period, and ends the rest. */
  readonly stop: () => Promise<void>
  /**
   * Sends one event to a function, whether the sources are started or not. A failure of the function is
   * part of the invocation.
   * @throws InvalidOptionError for an unknown function
   * @example
   * const { verdict, payload } = await platform.invoke('shop', httpEvent('GET', '/orders/7'))
   */
  readonly invoke: (
    functionName: string,
    event: unknown,
    options?: { readonly source?: string },
  ) => Promise<Invocation>
  /** Reloads the functions, so that later invocations run the code that is now in the files. */
  readonly reload: () => void
  /**
   * The invocations of this platform, with secrets masked.
   * @example
   * const [latest] = await platform.invocationLog.list({ functionName: 'shop', last: 1 })
   */
  readonly invocationLog: Pick<InvocationLogReader, 'list' | 'get'>
  /**
   * Returns a new link that opens the console and can be used only once. It lets a browser do everything that the
   * console can do. Platforms that share a database accept it, too.
   * @throws Error when the platform is not running with its console, or when the link cannot be stored
   */
  readonly consoleLink: () => Promise<string>
  /** The configuration with defaults filled in. */
  readonly settings: Settings
}
