import { CognitoIdentityProvider } from '@aws-sdk/client-cognito-identity-provider'
import { manualClock } from '@signalbox/core/testing'
import type { UserPoolConfig } from '../config/user-pool-config.ts'
import { srpClient } from '../srp/srp-client.ts'
import { listeningPool } from './listening-pool.ts'

export const password = 'Right-7even'
export const oldId = 'eu-central-1_Old01'
export const newId = 'eu-central-1_Staff01'
/** The error for a wrong name or password. */
export const incorrect = { name: 'NotAuthorizedException', message: 'Incorrect username or password.' }

const clientOf = (endpoint: string) =>
  new CognitoIdentityProvider({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'none', secretAccessKey: 'none' },
    maxAttempts: 1,
  })

/** The pool that users leave, which a stock Cognito would be. */
async function oldPool() {
  const running = await listeningPool({
    id: oldId,
    signIn: ['name', 'email'],
    custom: { tenant: 'string', seats: 'number' },
    mfa: { mode: 'optional', by: ['sms'] },
    groups: { admins: {}, readers: {}, legacy: {} },
    clients: {
      web: { id: 'old', flows: ['password', 'admin'] },
      shown: { id: 'shown', flows: ['password'], hideUsers: false },
      secret: { id: 'secret', flows: ['password'], secret: 'aSecretOfTheOldPool123456789' },
      srp: { id: 'srp', flows: ['srp'] },
    },
  })
  const api = clientOf(running.url)
  const add = async (
    Username: string,
    attributes: { [name: string]: string } = {},
    groups: string[] = [],
  ) => {
    const UserAttributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }))
    const { User } = await api.adminCreateUser({
      ...{ UserPoolId: oldId, Username, UserAttributes, MessageAction: 'SUPPRESS' },
      TemporaryPassword: password,
    })
    const who = { UserPoolId: oldId, Username }
    await api.adminSetUserPassword({ ...who, Password: password, Permanent: true })
    for (const GroupName of groups) await api.adminAddUserToGroup({ ...who, GroupName })
    return User!.Attributes!.find(({ Name }) => Name === 'sub')!.Value!
  }
  return { url: running.url, running, api, add }
}

/** The error for a user whose account the new pool cannot take. */
export const cannotMove = {
  name: 'NotAuthorizedException',
  message: 'This account cannot move here as it is. Please contact the administrators, who know the reason.',
}

/** Starts a pool that users leave. Its new pools take them over. */
export async function openMigration() {
  const old = await oldPool()
  let names = 0
  /** A name of its own for each test, because all tests share the old pool. */
  const newName = () => `user${++names}`

  const migrateFrom = (more: object = {}) => ({ pool: oldId, client: 'old', endpoint: old.url, ...more })

  /** Starts a pool that takes over the users of the old one. */
  async function newPool(more: Partial<UserPoolConfig> = {}, from: object = {}) {
    const clock = manualClock(Date.now())
    const running = await listeningPool({
      clock,
      signIn: ['name', 'email'],
      signUp: false,
      custom: { tenant: 'string' },
      groups: { admins: { precedence: 1 }, readers: {} },
      clients: {
        web: { id: 'web', flows: ['srp', 'password', 'choice', 'refresh'] },
        shown: { id: 'shown', flows: ['srp', 'password', 'choice'], hideUsers: false },
      },
      migrateFrom: migrateFrom(from),
      ...more,
    })
    const api = clientOf(running.url)
    const signIn = (USERNAME: string, PASSWORD = password, ClientId = 'web') =>
      api.initiateAuth({
        ClientId,
        AuthFlow: 'USER_PASSWORD_AUTH',
        AuthParameters: { USERNAME, PASSWORD },
      })
    const srp = async (USERNAME: string, PASSWORD = password, ClientId = 'web') => {
      const half = srpClient(newId, PASSWORD)
      const { ChallengeParameters } = await api.initiateAuth({
        ClientId,
        AuthFlow: 'USER_SRP_AUTH',
        AuthParameters: { USERNAME, SRP_A: half.SRP_A },
      })
      const ChallengeResponses = half.prove(ChallengeParameters as never)
      return api.respondToAuthChallenge({ ClientId, ChallengeName: 'PASSWORD_VERIFIER', ChallengeResponses })
    }
    return {
      ...{ clock, api, signIn, srp },
      /** What the operator reads about the move. */
      get notices() {
        return running.notices.filter(text => !text.startsWith('User pools send no e-mail'))
      },
      users: () => running.platform.userPools.get('staff').users.list(),
      async [Symbol.asyncDispose]() {
        api.destroy()
        await running[Symbol.asyncDispose]()
      },
    }
  }
  return {
    ...{ old, newName, migrateFrom, newPool },
    async [Symbol.asyncDispose]() {
      old.api.destroy()
      await old.running[Symbol.asyncDispose]()
    },
  }
}
