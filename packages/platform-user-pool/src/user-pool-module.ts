import type { SourceModule } from '@signalbox/platform-runtime'
import { type UserPoolsSettings, userPoolsPart } from './config/user-pools-part.ts'
import { userPools } from './user-pools.ts'

/** User pools that keep accounts, sign users in, and call functions with triggers. */
export const userPoolModule: SourceModule<UserPoolsSettings> = {
  config: userPoolsPart,
  family: async () => (await import('./trigger-family.ts')).triggerFamily,
  commands: [],
  open: (settings, { directory, ...context }) => ({
    sources: settings === undefined ? [] : [userPools(settings, directory, context)],
    access: {},
  }),
}
