import { run } from '../../command-line/run.ts'
import type { Ask } from '../../command-line/terminal.ts'
import { captureOutput } from '../../command-line/testing/capture-output.ts'
import * as problems from '../../config/config-problems.ts'
import { settingsOf } from '../../config/read-settings.ts'
import type { RuntimeConfig } from '../../config/runtime-config.ts'
import { makePlatform } from '../../platform/make-platform.ts'
import type { PlatformOptions, RuntimePlatform } from '../../platform/runtime-platform.ts'
import type { Program, SourceModule } from '../../source/source-module.ts'
import { contextOf } from '../context-of.ts'
import { sourceCommands } from '../source-commands.ts'

/**
 * Returns a program with one source, for the tests of that source.
 * @param others further sources, which this source uses
 */
export function testProgram<Keys extends object, Settings = unknown, Access extends object = object>(
  module: SourceModule<Settings, Access>,
  { dialects = {}, others = [] }: Partial<Pick<Program, 'dialects'>> & { others?: Program['modules'] } = {},
) {
  const program = { modules: [...others, module], dialects }
  return {
    createPlatform: (config: RuntimeConfig & Keys, options?: PlatformOptions) =>
      makePlatform(program, config, options) as RuntimePlatform & Access,
    settingsOf: (config: RuntimeConfig & Keys, root: string) => settingsOf(program, config, root),
    configProblems: (config: unknown) =>
      problems.configProblems(program.modules, Object.keys(dialects), config),
    /** Runs a command of the source in a folder. */
    signalbox: (folder: string, ...args: string[]) => runIn(folder, {}, args),
    /** Runs a command, and answers its questions with `answers`. */
    signalboxAnswered: (folder: string, answers: readonly string[], ...args: string[]) => {
      const left = [...answers]
      return runIn(folder, { ask: async () => left.shift() ?? '' }, args)
    },
    /** Runs a command that the user stops when it first shows its progress. */
    signalboxStopped: (folder: string, ...args: string[]) =>
      runIn(folder, { stop: new AbortController() }, args),
  }

  async function runIn(
    folder: string,
    { ask, stop }: { readonly ask?: Ask; readonly stop?: AbortController },
    args: readonly string[],
  ) {
    const progress: string[] = []
    const captured = captureOutput(folder, stop?.signal, {
      ...(ask && { ask }),
      progress(text) {
        progress.push(text)
        stop?.abort()
      },
    })
    const exitCode = await run(
      args,
      await sourceCommands([module]),
      '1',
      contextOf(program, captured.terminal),
    )
    return { exitCode, progress, printed: captured.printed, printedErrors: captured.printedErrors }
  }
}
