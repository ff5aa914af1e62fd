import { type ConsolePart, found } from '@signalbox/platform-runtime/console'
import type { OpenUserPools } from '../open-user-pools.ts'
import { consoleUserPools } from './console-user-pools.ts'
import { readablePools } from './readable-pools.ts'
import { userPoolPages } from './user-pool-pages.ts'
import type { ConsoleUserPools } from './user-pool-port.ts'
import { userPoolRoutes } from './user-pool-routes.ts'

/** The maximum number of users in one answer. */
const mostListed = 200

type Part = ConsolePart<typeof userPoolRoutes>

/**
 * Returns what user pools bring to the console.
 * @param opened undefined for a configuration without user pools
 */
export function userPoolConsole(opened: (() => OpenUserPools | undefined) | undefined): Part {
  const pools = opened && consoleUserPools(opened)
  return {
    name: 'userPools',
    isUsed: pools !== undefined,
    pages: userPoolPages,
    routes: userPoolRoutes,
    handlers: ({ mayAct }) => userPoolHandlers(mayAct || pools === undefined ? pools : readablePools(pools)),
    ...(pools !== undefined && { confidentialSenders: pools.senders }),
  }
}

function userPoolHandlers(port: ConsoleUserPools | undefined): ReturnType<Part['handlers']> {
  const pools = (): ConsoleUserPools => found(port, 'user pool: the configuration has none')

  return {
    pools: async () => port?.list() ?? [],
    users: ({ params, query: { search = '', after, last = 50 } }) =>
      pools().users(params.pool, { search, after, last: Math.min(last, mostListed) }),
    addUser: ({ params, body: { name, password, attributes = {} } }) =>
      pools().add(params.pool, name, password, attributes),
    user: async ({ params }) =>
      found(await pools().user(params.pool, params.name), `user ${params.name} in this pool`),
    changeUser: ({ params, body }) => pools().change(params.pool, params.name, body.action),
    addToGroup: ({ params, body }) => pools().addToGroup(params.pool, params.name, body.group),
    removeFromGroup: ({ params }) => pools().removeFromGroup(params.pool, params.name, params.group),
    poolMessages: ({ params }) => pools().messages(params.pool),
    poolChallenges: ({ params }) => pools().challenges(params.pool),
    signIn: ({ params, body }) => pools().signIn(params.pool, body),
    answerChallenge: ({ params, body }) => pools().answer(params.pool, body),
  }
}
