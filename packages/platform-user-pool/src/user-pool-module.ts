import type { SourceModule } from '@signalbox/platform-runtime'
import { type UserPoolsSettings, userPoolsPart } from './config/user-pools-part.ts'
import type { OpenUserPools } from './open-user-pools.ts'
import { userPoolStarter } from './user-pool-starter.ts'
import { userPools } from './user-pools.ts'
import { noUserPools, type UserPools } from './user-pools-access.ts'

/** User pools that keep accounts, sign users in, and call functions with triggers. */
export const userPoolModule: SourceModule<UserPoolsSettings, { readonly userPools: UserPools }> = {
  config: userPoolsPart,
  family: async () => (await import('./trigger-family.ts')).triggerFamily,
  commands: async () => (await import('./commands/all.ts')).userPoolCommands,
  records: async () => [(await import('./store/user-pool-records.ts')).userPoolRecords],
  starter: userPoolStarter,
  open(settings, { directory, engine, environment, services, ...context }) {
    const consoleOf = async (opened?: () => OpenUserPools | undefined) =>
      (await import('./console/user-pool-console.ts')).userPoolConsole(opened)
    if (settings === undefined)
      return { sources: [], access: { userPools: noUserPools }, console: () => consoleOf() }
    const source = userPools(settings, directory, engine, environment, services, context)
    return {
      sources: [source],
      functions: settings.pools.flatMap(({ triggers }) =>
        [...triggers.values()].map(({ functionName }) => functionName),
      ),
      access: { userPools: source.access },
      services: { signIn: source.signIn },
      console: () => consoleOf(source.opened),
      tests: async () =>
        (await import('./user-pool-test-part.ts')).userPoolTestPart(source.opened, engine !== undefined),
    }
  },
}
