import { resolve } from 'node:path'
import { systemClock } from '@signalbox/core/base'
import type { Terminal } from '../command-line/terminal.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { settingsOf } from '../config/read-settings.ts'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { Settings } from '../config/settings.ts'
import { InvalidConfigError } from '../fields/config-error.ts'
import { type InvocationLogReader, invocationLogStorage } from '../invocation-log/invocation-log.ts'
import { systemRandom } from '../random.ts'
import type { Program } from '../source/source-module.ts'
import type { CommandContext, ConfigSource } from './command-context.ts'

/** Returns the context that the commands of a program get on this terminal. */
export function contextOf(program: Program, terminal: Terminal): CommandContext {
  return Object.create(terminal, {
    dialects: { value: program.dialects },
    families: {
      value: async () => (await import('../families/platform-families.ts')).platformFamilies(program.modules),
    },
    project: {
      async value(source?: ConfigSource) {
        const { config, file, root, explain } = await loaded(source, program, terminal.cwd)
        const settings = explained(() => settingsOf(program, config, root, file), file, explain)
        const { makePlatform } = await import('../platform/make-platform.ts')
        return {
          config,
          file,
          root,
          settings,
          async invocationLog() {
            if (settings.storage !== undefined) return readSharedLog(settings, terminal.printError)
            if (settings.dataDir === undefined)
              throw new Error('This configuration keeps its invocation log in memory.')
            const { readLocalInvocationLog } = await import(
              '../invocation-log/sqlite/local-invocation-log.ts'
            )
            return readLocalInvocationLog(settings.dataDir, terminal.printError)
          },
          async withKeys(work) {
            if (settings.access === undefined)
              throw new Error(`${file} has no identities. Name them in \`access.identities\`.`)
            if (settings.storage === undefined && settings.dataDir === undefined)
              throw new Error('This configuration keeps its data in memory, and so no keys.')
            const { withStoredKeys } = await import('../platform/open-access.ts')
            return withStoredKeys(settings, { clock: systemClock, random: systemRandom }, work)
          },
          async accessLog(query) {
            if (settings.storage === undefined && settings.dataDir === undefined)
              throw new Error('This configuration keeps its access log in memory.')
            const { readAccessLog } = await import('../platform/open-access.ts')
            return readAccessLog(settings, { clock: systemClock }, query)
          },
          platform: options => makePlatform(program, config, { ...options, root }, file),
        }
      },
    },
  } satisfies { [K in Exclude<keyof CommandContext, keyof Terminal>]: { readonly value: CommandContext[K] } })
}

/** Returns the settings, or throws the problems of their configuration as its file explains them. */
function explained(read: () => Settings, file: string, explain: LoadedConfig['explain']): Settings {
  try {
    return read()
  } catch (error) {
    if (explain === undefined || !(error instanceof InvalidConfigError)) throw error
    throw new InvalidConfigError(file, error.problems.map(explain))
  }
}

/** Files that are no modules. */
const otherFile = /\.(?:ya?ml|json|template)$/i

async function loaded(
  source: ConfigSource | undefined,
  { readFile }: Program,
  folder: string,
): Promise<LoadedConfig> {
  if (typeof source === 'function') return source()
  if (source === undefined || readFile === undefined || !otherFile.test(source))
    return loadConfig(folder, source)
  const { config, ...rest } = await readFile(resolve(folder, source))
  return { config: config as RuntimeConfig, ...rest }
}

/** Opens the log that a storage engine keeps. */
async function readSharedLog(
  { storage, invocationLog }: Settings,
  notice: (text: string) => void,
): Promise<InvocationLogReader> {
  const engine = await storage!({ clock: undefined, notice })
  try {
    const log = await engine.opener(invocationLogStorage)({
      limits: invocationLog,
      clock: systemClock,
      notice,
    })
    const close = async () => {
      await log.close()
      await engine.close()
    }
    return { ...log, close }
  } catch (error) {
    await engine.close()
    throw error
  }
}
