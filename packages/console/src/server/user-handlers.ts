import type { ConsoleContext, ConsoleUserPools } from '@signalbox/platform-runtime/console'
import { found } from './api-error.ts'
import type { Handlers } from './handlers.ts'

type Names =
  | 'pools'
  | 'users'
  | 'addUser'
  | 'user'
  | 'changeUser'
  | 'addToGroup'
  | 'removeFromGroup'
  | 'poolMessages'
  | 'signIn'

/** The maximum number of users in one answer. */
const mostListed = 200

/** Returns the handlers of the routes about users. */
export function userHandlers({ parts }: Pick<ConsoleContext, 'parts'>): Pick<Handlers, Names> {
  const pools = (): ConsoleUserPools => found(parts.userPools, 'user pool: the configuration has none')

  return {
    pools: async () => (parts.userPools === undefined ? [] : parts.userPools.list()),
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
    signIn: ({ params, body: { name, password, client } }) =>
      pools().signIn(params.pool, name, password, client),
  }
}
