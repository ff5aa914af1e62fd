import type { PlatformOptions, RuntimePlatform } from '@signalbox/platform-runtime/platform'
import { makePlatform } from '@signalbox/platform-runtime/platform'
import { type Config, program, type Sources } from './source-modules.ts'

/** A platform with the properties that its sources add: `mail` and `userPools`. */
export interface Platform extends RuntimePlatform, Sources {}

/**
 * Creates a platform without starting it.
 * @throws InvalidConfigError with all problems of the configuration, and InvalidOptionError
 * @example
 * const platform = createPlatform({ functions: { shop: { handler } }, dataDir: ':memory:' })
 * await platform.start()
 * const { verdict } = await platform.invoke('shop', httpEvent('GET', '/orders/7'))
 * await platform.stop()
 */
export function createPlatform(config: Config, options?: PlatformOptions): Platform {
  return makePlatform(program, config, options) as Platform
}
