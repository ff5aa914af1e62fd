import { RefusedError } from '@signalbox/platform-runtime/console'
import { passwordFlow } from '../api/operations/sign-in/password-flow.ts'
import { addressOf } from '../config/sender.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { OpenUserPools } from '../open-user-pools.ts'
import type { User } from '../store/user-pool-store.ts'
import type { ConsoleUserPools, PoolAccount } from './user-pool-port.ts'

/** The API operations for the changes that the console offers. */
const operations = {
  confirm: 'AdminConfirmSignUp',
  disable: 'AdminDisableUser',
  enable: 'AdminEnableUser',
  'reset-password': 'AdminResetUserPassword',
  'sign-out': 'AdminUserGlobalSignOut',
  delete: 'AdminDeleteUser',
} as const

/** The number of accounts that a search reads per request. */
const readAtOnce = 500

/** Returns the user pools of a running platform for the console. */
export function consoleUserPools(opened: () => OpenUserPools | undefined): ConsoleUserPools {
  const running = () => {
    const open = opened()
    if (open === undefined) throw new RefusedError('The platform has not started its user pools.')
    return open
  }
  const poolNamed = (name: string): PoolSettings => {
    const { pools } = running().engine
    const found = pools.find(each => each.name === name || each.id === name)
    if (found !== undefined) return found
    throw new RefusedError(`There is no user pool ${JSON.stringify(name)}.`)
  }
  /** Calls an operation as an administrator. */
  const call = async (name: string, pool: string, input: object) => {
    const { callOperation } = await import('../api/operations/call-operation.ts')
    const { UserPoolError } = await import('../user-pool-error.ts')
    try {
      return await callOperation(running().engine, name, { UserPoolId: poolNamed(pool).id, ...input })
    } catch (error) {
      if (error instanceof UserPoolError) throw new RefusedError(error.message, { cause: error })
      throw error
    }
  }
  const messagesOf = async (pool: PoolSettings, user?: string) => {
    const { engine } = running()
    const { contentsOf } = await import('../flows/messages/messages.ts')
    return (await engine.store.messages(pool.id))
      .filter(message => user === undefined || message.user === user)
      .map(message => {
        const { subject, text, code } = contentsOf(engine, pool, message) ?? {}
        const { to, medium, occasion, created: at } = message
        return { to, medium, occasion, at, subject, text, code }
      })
  }

  return {
    async list() {
      const { engine, url } = running()
      return Promise.all(
        engine.pools.map(async pool => ({
          name: pool.name,
          id: pool.id,
          issuer: engine.issuer(pool),
          url,
          users: await engine.store.countUsers(pool.id),
          groups: (await engine.store.groups(pool.id)).map(({ name }) => name),
          clients: pool.clients.map(({ name, id, flows }) => ({ name, id, flows })),
        })),
      )
    },

    async users(pool, { search, after: start, last }) {
      const { store } = running().engine
      const { id } = poolNamed(pool)
      const users: PoolAccount[] = []
      for (let after = start; ; ) {
        const read = await store.users(id, { limit: readAtOnce, after })
        for (const user of read) {
          if (!fits(user, search)) continue
          if (users.length === last) return { users, after: users.at(-1)!.name }
          users.push(accountOf(user))
        }
        after = read.at(-1)?.name
        if (read.length < readAtOnce) return { users, after: undefined }
      }
    },

    async user(pool, name) {
      const { engine } = running()
      const { findUser } = await import('../users/attributes.ts')
      const settings = poolNamed(pool)
      const user = await findUser(engine.store, settings, name)
      if (user === undefined) return undefined
      const groups = await engine.store.groupsOf(settings.id, user.id)
      return {
        user: accountOf(user),
        groups: groups.map(group => group.name),
        messages: await messagesOf(settings, user.id),
      }
    },

    async change(pool, Username, action) {
      await call(operations[action], pool, { Username })
    },
    async addToGroup(pool, Username, GroupName) {
      await call('AdminAddUserToGroup', pool, { Username, GroupName })
    },
    async removeFromGroup(pool, Username, GroupName) {
      await call('AdminRemoveUserFromGroup', pool, { Username, GroupName })
    },
    async add(pool, Username, Password, attributes) {
      const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }))
      await call('AdminCreateUser', pool, { Username, UserAttributes, MessageAction: 'SUPPRESS' })
      await call('AdminSetUserPassword', pool, { Username, Password, Permanent: true })
    },
    messages: async pool => messagesOf(poolNamed(pool)),
    senders() {
      const { pools, mailer } = running().engine
      if (mailer === undefined) return []
      return [
        mailer.ownAddress.toLowerCase(),
        ...pools.flatMap(({ from }) => (from === undefined ? [] : [addressOf(from)])),
      ]
    },

    async signIn(pool, USERNAME, PASSWORD, wanted) {
      const { clients } = poolNamed(pool)
      const client = clients.find(({ name, flows }) =>
        wanted === undefined ? flows.includes('admin') || flows.includes('password') : name === wanted,
      )
      if (client === undefined)
        throw new RefusedError(
          wanted === undefined
            ? `No client of the pool ${pool} has the flow admin or password.`
            : `There is no client ${JSON.stringify(wanted)}.`,
        )
      const { operation, AuthFlow } = passwordFlow(client)
      const AuthParameters = { USERNAME, PASSWORD }
      const answer = await call(operation, pool, { ClientId: client.id, AuthFlow, AuthParameters })
      const tokens = answer.AuthenticationResult as { readonly [name: string]: string } | undefined
      return {
        idToken: tokens && decoded(tokens.IdToken!),
        accessToken: tokens && decoded(tokens.AccessToken!),
        hasRefreshToken: tokens?.RefreshToken !== undefined,
        challenge: answer.ChallengeName as string | undefined,
      }
    },
  }
}

function fits({ id, name, attributes }: User, search: string): boolean {
  const wanted = search.toLowerCase()
  return [id, name, ...Object.values(attributes)].some(each => each.toLowerCase().includes(wanted))
}

function accountOf({ id, name, status, enabled, attributes, created, modified }: User): PoolAccount {
  return { sub: id, name, status, enabled, attributes, createdAt: created, modifiedAt: modified }
}

/** Decodes a token that this platform has issued. The signature is not checked. */
function decoded(token: string) {
  const [header, claims] = token.split('.', 2).map(part => JSON.parse(String(Buffer.from(part, 'base64url'))))
  return { header, claims }
}
