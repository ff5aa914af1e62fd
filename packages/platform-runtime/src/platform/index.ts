export type { PlatformFamilies } from '../families/platform-families.ts'
export { makePlatform } from './make-platform.ts'
export type { PlatformOptions, RuntimePlatform } from './runtime-platform.ts'
