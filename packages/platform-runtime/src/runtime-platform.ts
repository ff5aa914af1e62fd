import type { Clock } from '@signalbox/core/base'
import type { Settings } from './config/settings.ts'
import type { Conclusion } from './invocation/conclusion.ts'
import type { Entry } from './invocation-log/entry.ts'
import type { Journal } from './invocation-log/journal.ts'
import type { Failure, LogLine } from './invoker/invoker.ts'
import type { Random } from './random.ts'
import type { Address } from './source/source.ts'

export interface PlatformOptions {
  /** The folder that relative paths of the configuration start at. Default: the working folder. */
  readonly root?: string
  readonly clock?: Clock
  readonly random?: Random
  /** Told of each invocation when it is in the journal. What it throws goes to `onNotice`. */
  readonly onInvocation?: (entry: Entry) => void
  /** Told what else is worth knowing, as a sentence. */
  readonly onNotice?: (text: string) => void
}

/** What came of an event that was fired at a function. */
export interface Fired {
  readonly requestId: string
  /** Text, as on the wire; empty for nothing. */
  readonly payload: string
  /** Why the function has no answer of its own. */
  readonly failure: Failure | undefined
  /** What the platform concludes; undefined for an event that breaks its contract, which no platform sends. */
  readonly conclusion: Conclusion | undefined
  readonly logs: readonly LogLine[]
  /** Milliseconds. */
  readonly duration: number
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
  readonly fire: (
    functionName: string,
    event: unknown,
    options?: { readonly source?: string },
  ) => Promise<Fired>
  /** Loads the functions anew: what is invoked from now on runs the code that is now in the files. */
  readonly reload: () => void
  readonly journal: Pick<Journal, 'list' | 'get'>
  readonly settings: Settings
}
