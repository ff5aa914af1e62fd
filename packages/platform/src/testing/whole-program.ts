import * as parts from '@signalbox/platform-runtime/platform/testing/parts'
import { type Config, program } from '../source-modules.ts'

export { allCommands, commands } from '../commands/all.ts'

/** Returns the problems of a configuration of the whole platform. */
export const configProblems = (config: unknown) =>
  parts.configProblems(program.modules, Object.keys(program.dialects), config)

/** Returns the settings of a configuration of the whole platform. */
export const settingsOf = (config: Config, root: string, where?: string) =>
  parts.settingsOf(program, config, root, where)

/** The families of all sources. */
export const families = await parts.platformFamilies(program.modules)
