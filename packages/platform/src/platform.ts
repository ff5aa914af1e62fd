import { type Clock, InvalidOptionError, refuseUnknownOptions, systemClock } from '@signalbox/core/base'
import type { Config } from './config/config.ts'
import { type FunctionSettings, type Settings, settingsOf } from './config/settings.ts'
import { control } from './control/control.ts'
import { dataDirectory } from './data-directory/data-directory.ts'
import type { Conclusion } from './invocation/conclusion.ts'
import { type Callee, dispatcher } from './invocation/dispatch.ts'
import { underWay } from './invocation/under-way.ts'
import { inProcessInvoker } from './invoker/in-process.ts'
import type { Failure, Invoker, LogLine } from './invoker/invoker.ts'
import { processInvoker } from './invoker/process-invoker.ts'
import type { Entry } from './journal/entry.ts'
import { type Journal, openJournal } from './journal/journal.ts'
import { type Random, systemRandom } from './random.ts'
import { allSources } from './sources/all-sources.ts'
import type { Mail } from './sources/mail/mail.ts'
import type { Address } from './sources/source.ts'
import { unknownName } from './unknown-name.ts'

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

const optionNames = [
  'root',
  'clock',
  'random',
  'onInvocation',
  'onNotice',
] as const satisfies readonly (keyof PlatformOptions)[]

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

/** The platform in a box. */
export interface Platform {
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
  readonly mail: Mail
  readonly settings: Settings
}

/**
 * Makes a platform, which does nothing yet.
 * @throws InvalidConfigError with everything that is wrong with the configuration, and InvalidOptionError
 */
export function createPlatform(config: Config, options: PlatformOptions = {}): Platform {
  refuseUnknownOptions('createPlatform()', options, optionNames)
  const { root = process.cwd(), clock = systemClock, random = systemRandom } = options
  const { onInvocation, onNotice: notice = () => {} } = options
  const settings = settingsOf(config, root)
  const directory = dataDirectory(settings.dataDir)
  const journal = openJournal(directory.open('journal'), settings.journal, clock, onInvocation, notice)
  /** What instances find in their environment. */
  const environment: Record<string, string> = {}
  const callees = new Map(
    settings.functions.map(each => [each.name, calleeOf(each, settings.root, environment, clock, notice)]),
  )
  const open = underWay()
  const dispatch = dispatcher(callees, journal.record, clock, random, open)
  const { sources, mail } = allSources(settings, directory, { dispatch, clock, random, notice })
  const desk = settings.control && control(settings.control, mail.fetch)
  let stopping: Promise<void> | undefined

  return {
    settings,
    journal,
    mail,

    async start() {
      try {
        directory.lock()
        const first = desk === undefined ? [] : [await desk.start()]
        if (desk !== undefined) tellOf(desk.url())
        const started = await Promise.allSettled(sources.map(source => source.start()))
        const failed = started.find(result => result.status === 'rejected')
        if (failed !== undefined) throw failed.reason
        return [...started.map(result => (result as PromiseFulfilledResult<Address>).value), ...first]
      } catch (error) {
        await this.stop()
        throw error
      }
    },

    stop() {
      stopping ??= (async () => {
        await Promise.all(sources.map(source => source.stop(settings.grace)))
        await within(settings.grace, open.settled(), clock)
        await Promise.all([...callees.values()].map(({ invoker }) => invoker.stop()))
        await open.settled()
        await desk?.stop(0)
        journal.close()
        directory.release()
      })()
      return stopping
    },

    async fire(functionName, event, { source = 'fire' } = {}) {
      if (!callees.has(functionName))
        throw new InvalidOptionError(unknownName('function', functionName, [...callees.keys()]))
      // All four families, of which a box that only runs needs none but its sources'.
      const { conclude, familyOf, grantedBy } = await import('./invocation/conclude.ts')
      const { verdict, ...invoked } = await dispatch({
        functionName,
        event,
        family: familyOf(event)?.name,
        source,
        limit: grantedBy(event),
        verdict: payload => conclude(payload, event),
        describe: conclusion => conclusion,
      })
      return { ...invoked, conclusion: verdict }
    },

    reload() {
      for (const { invoker } of callees.values()) invoker.reload()
    },
  }

  // Before the sources start: functions ask there for the mails that they are called with.
  function tellOf(url: string): void {
    environment.SIGNALBOX_CONTROL = url
    directory.announce({ control: url })
    for (const { invoker } of callees.values()) if (invoker.instances() > 0) invoker.reload()
  }
}

function calleeOf(
  settings: FunctionSettings,
  folder: string,
  platformEnv: { readonly [name: string]: string },
  clock: Clock,
  notice: (text: string) => void,
): Callee {
  const { code, dialect, ...rest } = settings
  const invoker: Invoker =
    'handler' in code
      ? inProcessInvoker({ ...rest, ...code, clock })
      : processInvoker({ ...rest, ...code, folder, platformEnv, clock, notice })
  return { invoker, dialect }
}

/** Resolves when something does, or after so many milliseconds. */
function within(ms: number, settled: Promise<void>, clock: Clock): Promise<void> {
  return new Promise(resolve => {
    const cancel = clock.after(ms, resolve)
    void settled.then(() => {
      cancel()
      resolve()
    })
  })
}
