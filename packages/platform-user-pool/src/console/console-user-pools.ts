import { RefusedError } from '@signalbox/platform-runtime/console'
import { addressOf } from '../config/sender.ts'
import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { OpenUserPools } from '../open-user-pools.ts'
import { answerFields, type SignInFlow, type SignInStep, signInClient } from '../srp/sign-in-client.ts'
import type { User } from '../store/user-pool-store.ts'
import type { ConsoleUserPools, PoolAccount, PoolSignIn } from './user-pool-port.ts'

/** The API operations for the changes that the console offers. */
const operations = {
  confirm: 'AdminConfirmSignUp',
  disable: 'AdminDisableUser',
  enable: 'AdminEnableUser',
  'reset-password': 'AdminResetUserPassword',
  'sign-out': 'AdminUserGlobalSignOut',
  delete: 'AdminDeleteUser',
} as const

/** The flows of a test sign-in. The first one that the client has is used. */
const flows: readonly SignInFlow[] = ['admin', 'password', 'srp', 'custom']

/** The maximum number of sessions that are searched for challenges. */
const mostChallenges = 200

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

  const caller = (pool: string) => (name: string, input: object) => call(name, pool, input)

  /** Returns what a step of a sign-in brought. */
  const resultOf = async (
    pool: string,
    { name: client }: ClientSettings,
    { AuthenticationResult: tokens, ChallengeName: name, ChallengeParameters = {}, Session }: SignInStep,
    user: string,
  ): Promise<PoolSignIn> => ({
    idToken: tokens && decoded(tokens.IdToken!),
    accessToken: tokens && decoded(tokens.AccessToken!),
    hasRefreshToken: tokens?.RefreshToken !== undefined,
    challenge:
      name === undefined
        ? undefined
        : {
            ...{ name, client, session: Session ?? '', parameters: ChallengeParameters },
            user: ChallengeParameters.USER_ID_FOR_SRP ?? ChallengeParameters.USERNAME ?? user,
            privateParameters:
              name === 'CUSTOM_CHALLENGE' ? await privateParametersOf(pool, Session) : undefined,
            canAnswer: Object.hasOwn(answerFields, name),
          },
  })
  const privateParametersOf = async (pool: string, session: string | undefined) => {
    const { findSessionOf } = await import('../flows/sign-in/sessions.ts')
    const { state } = await findSessionOf(running().engine, poolNamed(pool), 'CUSTOM_CHALLENGE', session)
    return ownParameters(state.privateParameters)
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

    async challenges(pool) {
      const { engine } = running()
      const { openSessions } = await import('../flows/sign-in/sessions.ts')
      return (await openSessions(engine, poolNamed(pool), mostChallenges)).flatMap(({ state, expires }) =>
        state.challenge === 'CUSTOM_CHALLENGE'
          ? {
              user: state.sentName,
              sub: state.user,
              name: state.metadata ?? undefined,
              ends: expires,
              parameters: ownParameters(state.privateParameters),
            }
          : [],
      )
    },

    async signIn(pool, { name, password, client: wanted, isCustom = false }) {
      const { id, clients } = poolNamed(pool)
      const wantedFlows: readonly SignInFlow[] = isCustom ? ['custom'] : flows
      const flowOf = (client: ClientSettings) => wantedFlows.find(flow => client.flows.includes(flow))
      const client = clients.find(each => (wanted === undefined ? flowOf(each) : each.name === wanted))
      if (client === undefined)
        throw new RefusedError(
          wanted === undefined
            ? `No client of the pool ${pool} has the flow ${wantedFlows.join(' or ')}.`
            : `There is no client ${JSON.stringify(wanted)}.`,
        )
      const flow = flowOf(client)
      if (flow === undefined)
        throw new RefusedError(
          `The client ${client.name} does not have the flow ${wantedFlows.join(' or ')}.`,
        )
      const { begin } = await signInClient(caller(pool), id, {
        ...client,
        hasSecret: client.secret !== false,
      })
      const step = await begin(flow, name, async () => {
        if (password) return password
        throw new RefusedError('The sign-in begins with the password. Enter it.')
      })
      return resultOf(pool, client, step, name)
    },

    async answer(pool, { client: wanted, user, challenge, session, answer }) {
      const { id, clients } = poolNamed(pool)
      const client = clients.find(({ name }) => name === wanted)
      if (client === undefined) throw new RefusedError(`There is no client ${JSON.stringify(wanted)}.`)
      const field = Object.hasOwn(answerFields, challenge) ? answerFields[challenge] : undefined
      if (field === undefined) throw new RefusedError(`The console cannot answer ${challenge}.`)
      const own = await signInClient(caller(pool), id, { ...client, hasSecret: client.secret !== false })
      const asked = { ChallengeName: challenge, Session: session }
      return resultOf(pool, client, await own.answer(asked, user, { [field]: answer }), user)
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

/** Returns private parameters without those that Signalbox adds to recognize challenges. */
function ownParameters(parameters: { readonly [name: string]: string }) {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !name.startsWith('signalbox:')))
}

/** Decodes a token that this platform has issued. The signature is not checked. */
function decoded(token: string) {
  const [header, claims] = token.split('.', 2).map(part => JSON.parse(String(Buffer.from(part, 'base64url'))))
  return { header, claims }
}
