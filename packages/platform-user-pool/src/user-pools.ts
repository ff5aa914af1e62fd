import type { Source, SourceContext } from '@signalbox/platform-runtime'
import type { DataDirectory } from '@signalbox/platform-runtime/storage'
import type { UserPoolsSettings } from './config/user-pools-part.ts'
import type { OpenUserPools } from './open-user-pools.ts'

/** All user pools of a box. What they take is loaded when they start, so that a box without them need not. */
export function userPools(
  settings: UserPoolsSettings,
  directory: Pick<DataDirectory, 'open' | 'folder' | 'announce'>,
  context: SourceContext,
): Source {
  let opened: OpenUserPools | undefined
  return {
    name: 'user pools',
    async start() {
      const { openUserPools } = await import('./open-user-pools.ts')
      const files = { database: directory.open('user-pools'), folder: directory.folder('user-pools') }
      opened = await openUserPools(settings, files, context)
      directory.announce({ userPools: opened.url })
      return { source: 'user pools', url: opened.url }
    },
    async stop() {
      await opened?.stop()
      opened = undefined
    },
  }
}
