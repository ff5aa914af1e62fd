import { InvalidOptionError } from '@signalbox/core/base'
import { callOperation } from './api/operations/call-operation.ts'
import { passwordFlow } from './api/operations/sign-in/password-flow.ts'
import { contentsOf } from './flows/messages/messages.ts'
import type { OpenUserPools } from './open-user-pools.ts'
import type { User } from './store/user-pool-store.ts'
import type { PoolUser, UserPool } from './user-pools-access.ts'
import { findUser } from './users/attributes.ts'

/** Returns an interface to a pool for programs and tests. */
export function userPoolAccess({ engine, url }: OpenUserPools, name: string): UserPool {
  const pool = engine.pools.find(each => each.name === name || each.id === name)
  if (pool === undefined)
    throw new InvalidOptionError(
      `There is no user pool ${JSON.stringify(name)}. There are ${engine.pools.map(each => each.name).join(', ')}.`,
    )
  const UserPoolId = pool.id
  const found = async (userName: string) => findUser(engine.store, pool, userName)
  const clientNamed = (client: string) => {
    const known = pool.clients.find(each => each.name === client)
    if (known !== undefined) return known
    throw new InvalidOptionError(
      `There is no client ${JSON.stringify(client)}. There are ${pool.clients.map(each => each.name).join(', ')}.`,
    )
  }
  return {
    id: pool.id,
    issuer: engine.issuer(pool),
    url,
    clientId: client => clientNamed(client).id,
    users: {
      async add(Username, { password, attributes = {} }) {
        const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }))
        const input = { UserPoolId, Username }
        await callOperation(engine, 'AdminCreateUser', {
          ...input,
          UserAttributes,
          MessageAction: 'SUPPRESS',
        })
        await callOperation(engine, 'AdminSetUserPassword', { ...input, Password: password, Permanent: true })
        return shownUser((await found(Username))!)
      },
      async get(userName) {
        const user = await found(userName)
        return user && shownUser(user)
      },
      list: async () =>
        (await engine.store.users(pool.id, { limit: Number.MAX_SAFE_INTEGER })).map(shownUser),
    },
    async code(userName) {
      const user = await found(userName)
      const message = (await engine.store.messages(pool.id)).find(each => each.user === user?.id)
      return message && contentsOf(engine, pool, message)?.code
    },
    texts: async () =>
      (await engine.store.messages(pool.id)).map(message => {
        const { subject, text } = contentsOf(engine, pool, message) ?? {}
        const { to, medium, occasion } = message
        return { to, medium, occasion, subject, text }
      }),
    async signIn(USERNAME, PASSWORD, client) {
      const used = client === undefined ? firstWithPassword() : clientNamed(client)
      const { operation, AuthFlow } = passwordFlow(used)
      const input = { UserPoolId, ClientId: used.id, AuthFlow, AuthParameters: { USERNAME, PASSWORD } }
      const answer = await callOperation(engine, operation, input)
      const tokens = answer.AuthenticationResult as { readonly [name: string]: string } | undefined
      if (tokens === undefined) throw new Error(`The sign-in goes on with ${answer.ChallengeName}.`)
      return { idToken: tokens.IdToken!, accessToken: tokens.AccessToken!, refreshToken: tokens.RefreshToken }
    },
  }

  function firstWithPassword() {
    const known = pool!.clients.find(({ flows }) => flows.includes('admin') || flows.includes('password'))
    if (known !== undefined) return known
    throw new InvalidOptionError(`No client of the pool ${name} has the flow admin or password.`)
  }
}

function shownUser({ id, name, status, attributes }: User): PoolUser {
  return { sub: id, name, status, attributes }
}
