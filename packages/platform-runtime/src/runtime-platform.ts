import type { Clock } from '@signalbox/core/base'
import type { Settings } from './config/settings.ts'
import type { Invocation } from './invocation/invocation.ts'
import type { InvocationLogEntry } from './invocation-log/entry.ts'
import type { InvocationLogReader } from './invocation-log/invocation-log.ts'
import type { Random } from './random.ts'
import type { Address } from './source/source.ts'

export interface PlatformOptions {
  /** The folder that relative paths of the configuration start at. Default: the working folder. */
  readonly root?: string
  readonly clock?: Clock
  readonly random?: Random
  /** Told of each invocation when it is in the invocation log. What it throws goes to `onNotice`. */
  readonly onInvocation?: (entry: InvocationLogEntry) => void
  /** Told what else is worth knowing, as a sentence. */
  readonly onNotice?: (text: string) => void
}

/** A platform, whatever its sources are. */
export interface RuntimePlatform {
  /**
   * Starts the sources, and answers where they take events in.
   * @throws DataDirectoryInUseError, or an error that says which source cannot start
   */
  readonly start: () => Promise<readonly Address[]>
  /** Takes in no more events, lets running invocations finish within the grace period, and ends the rest. */
  readonly stop: () => Promise<void>
  /** Sends one event to a function, whether the sources are started or not. */
  readonly invoke: (
    functionName: string,
    event: unknown,
    options?: { readonly source?: string },
  ) => Promise<Invocation>
  /** Loads the functions anew: what is invoked from now on runs the code that is now in the files. */
  readonly reload: () => void
  readonly invocationLog: Pick<InvocationLogReader, 'list' | 'get'>
  readonly settings: Settings
}
