import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import type { CommandContext, ExitCode, Project } from '@signalbox/platform-runtime/command-line'
import {
  printableJson,
  printableLines,
  seePage,
  UsageError,
  withPage,
} from '@signalbox/platform-runtime/command-line'
import type { Settings } from '@signalbox/platform-runtime/config'
import type { LoadedTemplate } from '../template/load-template.ts'
import { configSource, warningLines } from '../template/template-options.ts'
import { invocationLine } from './invocation-line.ts'

/** Runs a platform until the user stops it, for `dev` and `start`. */
export async function runPlatform(
  {
    config: configFile,
    json = false,
    watch,
    console = watch,
    unmasked = false,
    inspect,
    hasManualClock = false,
    template,
    parameter,
    stack,
  }: {
    readonly config?: string
    readonly template?: string
    readonly parameter?: readonly string[]
    readonly stack?: string
    readonly json?: boolean
    readonly watch: boolean
    readonly console?: boolean
    /** Whether to print the output of functions with its secrets. */
    readonly unmasked?: boolean
    /** The functions to which a debugger can attach, or `true` for all. */
    readonly inspect?: true | readonly string[]
    /** Whether the time stands still until a test moves it. */
    readonly hasManualClock?: boolean
  },
  terminal: CommandContext,
): Promise<ExitCode> {
  const { print, paint } = terminal
  // A service goes on without output: its requests matter more than its log. In development the reader of the output is
  // the user, who has gone.
  const userGone = new Promise<void>(resolve => {
    terminal.onLostOutput?.(() => {
      if (watch) resolve()
    })
  })
  const say = (kind: string, text: string, rest: object = {}) =>
    print(json ? printableJson({ kind, text, ...rest }) : text)
  // In development, errors may show all their details.
  if (watch) process.env.NODE_ENV ??= 'development'
  const source = configSource(
    {
      ...(configFile !== undefined && { config: configFile }),
      ...(template !== undefined && { template }),
      ...(parameter !== undefined && { parameter }),
      ...(stack !== undefined && { stack }),
    },
    terminal.cwd,
    reportTemplate(say),
  )
  const project = await terminal.project(source)
  const { file, root } = project
  const families = json ? undefined : await terminal.families()
  /** The output of invocations that are not printed yet, by request id. */
  const output = new Map<string, InvocationLogEntry['logs']>()
  /** The request ids of invocations with a cold start that are not printed yet. */
  const cold = new Set<string>()
  if (hasManualClock) refuseUnmovable(project.settings)
  const clocks = hasManualClock ? await manualClocks() : {}
  const platformOf = (of: Project) =>
    of.platform({
      ...clocks,
      onInvocation(logged) {
        const { requestId } = logged
        const coldStart = cold.delete(requestId)
        const entry = {
          ...logged,
          logs: output.get(requestId) ?? logged.logs,
          ...(coldStart && { coldStart }),
        }
        output.delete(requestId)
        print(
          families === undefined
            ? printableJson({ kind: 'invocation', ...entry })
            : invocationLine(entry, families, paint, watch && !unmasked ? '--unmasked' : undefined),
        )
      },
      ...(watch && { onColdStart: requestId => cold.add(requestId) }),
      ...(unmasked && { onOutput: (requestId, logs) => output.set(requestId, logs) }),
      // A notice can quote what a stranger has sent.
      onNotice: text => say('notice', json ? text : printableLines(text)),
      unloadable: watch ? 'notice' : 'refuse',
      unauthenticated: watch ? 'notice' : 'refuse',
      ...(console && { console }),
      ...(inspect && { inspect }),
    })
  let platform = platformOf(project)
  const addresses = await platform.start()
  // From here on a signal stops the platform in an orderly way, also one that follows the first printed line.
  const { stop } = terminal
  const hasConsole = console || platform.settings.control?.console === true
  const names = [...(hasConsole ? ['console'] : []), ...addresses.map(({ source }) => source)]
  const width = Math.max(...names.map(name => name.length + 1))
  const labelled = (name: string, url: string) => `${`${name}:`.padEnd(width)} ${paint('bold', url)}`
  let announced = new Set<string>()
  /** Prints the addresses that are not printed yet. */
  const announce = (all: Awaited<ReturnType<typeof platform.start>>) => {
    for (const { source, url } of all)
      if (!announced.has(`${source} ${url}`)) say('address', labelled(source, url), { source, url })
    announced = new Set(all.map(({ source, url }) => `${source} ${url}`))
  }
  const announceConsole = async () => {
    if (!hasConsole) return
    // A link with a token gives full access to anyone who reads it, and service managers store the output. Therefore, a
    // platform with access keys prints a link without a token.
    const takesKeys = !watch && platform.settings.access !== undefined
    const link = await platform.consoleLink()
    const url = takesKeys ? link.replace(/#.*/, '') : link
    say('console', labelled('console', url), { url })
  }
  await announceConsole()
  announce(addresses)
  if (addresses.length === 0)
    say('notice', 'The configuration has no sources. Call its functions with: signalbox invoke')

  const { settings } = platform
  /** The file of the configuration, which may be beside a template. */
  const configPath =
    template === undefined ? file : configFile === undefined ? undefined : resolve(terminal.cwd, configFile)
  if (watch)
    for (const folder of settings.watch)
      if (!existsSync(folder)) say('notice', `The folder ${folder} cannot be watched: it does not exist.`)
  /** Ends when the changes of a template that were saved until now are applied. */
  let applying = Promise.resolve()
  let applied = project
  /**
   * Starts the platform again with the template as it is now, or as it was if it cannot start with it. What the platform
   * stores stays.
   */
  const apply = async () => {
    try {
      const changed = await terminal.project(source)
      const next = platformOf(changed)
      await platform.stop()
      try {
        const started = await next.start()
        platform = next
        applied = changed
        announce(started)
      } catch (error) {
        await next.stop()
        platform = platformOf(applied)
        announce(await platform.start())
        await announceConsole()
        throw error
      }
      // The links and sessions of the console end with the platform that opened them.
      await announceConsole()
      say('reload', paint('dim', `Applied: ${file}`), { files: [file] })
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      say('notice', `${file} cannot be applied. ${withPage(reason, seePage(error))}`)
    }
  }
  const watcher = watch
    ? await (await import('../watch/watch-files.ts')).watchFiles(
        [
          root,
          file,
          ...(configPath === undefined ? [] : [configPath]),
          ...settings.watch,
          ...settings.functions.flatMap(({ code }) => ('command' in code ? [code.folder] : [])),
        ],
        settings.dataDir,
        changed => {
          if (configPath !== undefined && changed.includes(configPath))
            say('notice', `${configPath} has changed. Restart signalbox to apply it.`)
          if (changed.includes(file) && template !== undefined) {
            applying = applying.then(apply)
            return
          }
          platform.reload()
          const code = changed.filter(each => each !== file && each !== configPath)
          if (code.length > 0) say('reload', paint('dim', `New code: ${fewOf(code)}`), { files: code })
        },
      )
    : undefined
  if (watcher) say('ready', paint('dim', 'Watching for changes. Press Ctrl-C to stop.'))
  else say('ready', paint('dim', 'Running. Press Ctrl-C to stop.'))

  // In a platform without sources, only this timer keeps the process running.
  const presence = setInterval(() => {}, 2 ** 30)
  const stopped = new Promise<void>(resolve => {
    if (stop.aborted) resolve()
    else stop.addEventListener('abort', () => resolve(), { once: true })
  })
  await Promise.race([stopped, userGone])
  clearInterval(presence)
  say(
    'stopping',
    paint('dim', 'Stopping after running invocations have finished. A second signal stops at once.'),
  )
  await watcher?.close()
  await applying
  await platform.stop()
  return 0
}

/** Returns a function that says what a template means here. It says only what has changed since the last time. */
function reportTemplate(
  say: (kind: string, text: string, rest?: object) => void,
): (loaded: LoadedTemplate) => void {
  let said = new Set<string>()
  return loaded => {
    const lines = warningLines(loaded)
    for (const { kind, text } of lines) if (!said.has(text)) say(kind, text)
    said = new Set(lines.map(({ text }) => text))
  }
}

/** Returns a clock that stands still from now on, and the machine's clock. */
async function manualClocks() {
  const { systemClock } = await import('@signalbox/core/base')
  const { manualClock } = await import('@signalbox/core/testing')
  return { clock: manualClock(systemClock.now(), { runsDueTimers: true }), machineClock: systemClock }
}

/** Refuses a clock that nothing can move. */
function refuseUnmovable({ control, storage }: Pick<Settings, 'control' | 'storage'>): void {
  if (control?.testing !== true)
    throw new UsageError(
      'With --clock manual, the time stands still until a test moves it. Let tests do that: control: { testing: true } in the configuration.',
    )
  if (storage !== undefined)
    throw new UsageError(
      'With `storage`, --clock manual is not possible: the clock of the database decides what is due.',
    )
}

/** The maximum number of files that a line names. */
const namedFiles = 3

/** Lists file names. Of many files, such as those of a changed branch, it names only the first ones. */
function fewOf(files: readonly string[]): string {
  const more = files.length - namedFiles
  return more <= 1 ? files.join(', ') : `${files.slice(0, namedFiles).join(', ')} and ${more} more files`
}
