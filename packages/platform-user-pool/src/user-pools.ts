import type { Services, SignInPools, Source, SourceContext } from '@signalbox/platform-runtime'
import type { DataDirectory, StorageEngine } from '@signalbox/platform-runtime/storage'
import type { UserPoolsSettings } from './config/user-pools-part.ts'
import type { OpenUserPools } from './open-user-pools.ts'
import { userPoolStorage } from './store/user-pool-storage.ts'
import type { UserPool, UserPools } from './user-pools-access.ts'

/**
 * Opens all user pools of a platform. Their modules are loaded only when they start, so that a platform without user
 * pools does not load them.
 */
export function userPools(
  settings: UserPoolsSettings,
  directory: Pick<DataDirectory, 'open' | 'folder' | 'announce'>,
  storage: (() => Promise<StorageEngine>) | undefined,
  environment: { [name: string]: string },
  services: Services,
  context: SourceContext,
): Source & {
  readonly access: UserPools
  readonly signIn: SignInPools
  readonly opened: () => OpenUserPools | undefined
} {
  let opened:
    | {
        readonly pools: OpenUserPools
        readonly access: (name: string) => UserPool
        readonly clientOf: SignInPools['clientOf']
      }
    | undefined
  return {
    name: 'user pools',
    async start() {
      const { openUserPools } = await import('./open-user-pools.ts')
      const { userPoolAccess } = await import('./user-pool-access.ts')
      const { signInClient } = await import('./sign-in-client.ts')
      const store =
        storage === undefined
          ? (await import('./store/sqlite/local-store.ts')).localStore(directory.open('user-pools'))
          : await (await storage()).opener(userPoolStorage)()
      const keyFolder = storage === undefined ? directory.folder('user-pools') : undefined
      const pools = await openUserPools(
        settings,
        store,
        keyFolder,
        context,
        services.outboundMail,
        environment,
      )
      opened = {
        pools,
        access: name => userPoolAccess(pools, name),
        clientOf: (pool, client) => signInClient(pools, pool, client),
      }
      directory.announce({ userPools: pools.url })
      return { source: 'user pools', url: pools.url }
    },
    async stop(grace) {
      await opened?.pools.stop(grace)
      opened = undefined
    },
    opened: () => opened?.pools,
    signIn: {
      clientOf(pool, client) {
        if (opened === undefined) throw new Error('The user pools are not running.')
        return opened.clientOf(pool, client)
      },
    },
    access: {
      get(name) {
        if (opened === undefined)
          throw new Error('The platform is not running: its user pools are there from start() to stop().')
        return opened.access(name)
      },
    },
  }
}
