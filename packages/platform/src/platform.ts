import type { PlatformOptions, RuntimePlatform } from '@signalbox/platform-runtime/platform'
import { makePlatform } from '@signalbox/platform-runtime/platform'
import { type Config, program, type Sources } from './source-modules.ts'

/** The platform, with everything that its sources add. */
export interface Platform extends RuntimePlatform, Sources {}

/**
 * Makes a platform, without starting it.
 * @throws InvalidConfigError with everything that is wrong with the configuration, and InvalidOptionError
 */
export function createPlatform(config: Config, options?: PlatformOptions): Platform {
  return makePlatform(program, config, options) as Platform
}
