import * as problems from '../../../platform-runtime/src/config/config-problems.ts'
import * as settings from '../../../platform-runtime/src/config/read-settings.ts'
import { platformFamilies } from '../../../platform-runtime/src/source/platform-families.ts'
import { type Config, program } from '../source-modules.ts'

/** Returns the problems of a configuration of the whole platform. */
export const configProblems = (config: unknown) =>
  problems.configProblems(program.modules, Object.keys(program.dialects), config)

/** Returns the settings of a configuration of the whole platform. */
export const settingsOf = (config: Config, root: string, where?: string) =>
  settings.settingsOf(program, config, root, where)

/** The families of all sources. */
export const families = await platformFamilies(program.modules)
