export { makePlatform } from './make-platform.ts'
export type { PlatformOptions, RuntimePlatform } from './runtime-platform.ts'
export type { PlatformFamilies } from './source/platform-families.ts'
