import type { Terminal } from '../command-line/terminal.ts'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'

/** The option of every command that needs a configuration. */
export const configOption = {
  type: 'string',
  short: 'c',
  value: 'FILE',
  help: 'the configuration, when it is not ./signalbox.config.ts',
} as const

/** The configuration that a command is to use. */
export function configFor(given: string | undefined, terminal: Terminal): Promise<LoadedConfig> {
  return loadConfig(terminal.cwd, given)
}
