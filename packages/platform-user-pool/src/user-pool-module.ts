import type { SourceModule } from '@signalbox/platform-runtime'
import { keysRotate } from './commands/keys-rotate.ts'
import { pools } from './commands/pools.ts'
import { signIn } from './commands/sign-in.ts'
import { texts } from './commands/texts.ts'
import { userCommands } from './commands/user.ts'
import { users } from './commands/users.ts'
import { usersExport } from './commands/users-export.ts'
import { usersImport } from './commands/users-import.ts'
import { type UserPoolsSettings, userPoolsPart } from './config/user-pools-part.ts'
import { userPoolStarter } from './user-pool-starter.ts'
import { userPools } from './user-pools.ts'
import { noUserPools, type UserPools } from './user-pools-access.ts'

/** User pools that keep accounts, sign users in, and call functions with triggers. */
export const userPoolModule: SourceModule<UserPoolsSettings, { readonly userPools: UserPools }> = {
  config: userPoolsPart,
  family: async () => (await import('./trigger-family.ts')).triggerFamily,
  commands: [pools, users, usersExport, usersImport, ...userCommands, signIn, texts, keysRotate],
  starter: userPoolStarter,
  open(settings, { directory, engine, environment, services, ...context }) {
    if (settings === undefined) return { sources: [], access: { userPools: noUserPools } }
    const source = userPools(settings, directory, engine, environment, services, context)
    return {
      sources: [source],
      access: { userPools: source.access },
      console: async () => ({
        userPools: (await import('./console-user-pools.ts')).consoleUserPools(source.opened),
      }),
    }
  },
}
