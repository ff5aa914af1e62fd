import { randomUuid } from '@signalbox/platform-runtime'
import type { Change, StoredUser, User } from '../store/user-pool-store.ts'
import { type Grant, issueTokens, ownScope, type Tokens } from '../tokens/issue-tokens.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { eventAttributes } from './accounts.ts'
import type { ClientCaller, EngineContext, Metadata } from './engine-context.ts'
import { newRefreshToken } from './refresh-tokens.ts'
import { newSession, usedSession } from './sessions.ts'
import { locked } from './subject.ts'

/** The result of a step of a sign-in: tokens, or a challenge for the client. */
export type SignInResult =
  | { readonly tokens: Tokens & { readonly RefreshToken?: string } }
  | {
      readonly challenge: string
      readonly parameters: { readonly [name: string]: string }
      readonly session: string | undefined
    }

/** The credentials that a step of a sign-in uses up, and the password attempt that it counts. */
export type Consumption = Pick<Change, 'uses' | 'adds' | 'attempt'>

/**
 * Continues when the user has proved who they are: with tokens, or with a new password if the account needs one.
 * @throws UserPoolError for an account that may not sign in, and when a function denies or fails
 */
export async function completeSignIn(
  engine: EngineContext,
  caller: ClientCaller,
  user: StoredUser,
  given: string,
  consumption: Consumption,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const { store, clock } = engine
  const { pool, client } = caller
  const refused = refusalOf(user, clock.now())
  if (refused !== undefined) {
    await consume(engine, caller, consumption)
    throw refused
  }
  if (user.status === 'FORCE_CHANGE_PASSWORD') {
    const session = newSession(engine, caller, {
      challenge: 'NEW_PASSWORD_REQUIRED',
      client: client.id,
      user: user.id,
      given,
    })
    await consume(engine, caller, { ...consumption, adds: [...(consumption.adds ?? []), session.credential] })
    const writable = Object.entries(user.attributes).filter(([name]) => !name.endsWith('_verified'))
    const required = pool.required
      .filter(name => !user.attributes[name])
      .map(name => `userAttributes.${name}`)
    return {
      challenge: 'NEW_PASSWORD_REQUIRED',
      parameters: {
        USER_ID_FOR_SRP: user.name,
        userAttributes: JSON.stringify(Object.fromEntries(writable)),
        requiredAttributes: JSON.stringify(required),
      },
      session: session.handle,
    }
  }
  await postAuthentication(engine, caller, user, clientMetadata)
  // The function may have changed the account.
  const latest = (await store.user(pool.id, user.id)) ?? user
  return signedIn(engine, caller, latest, user, 'TokenGeneration_Authentication', consumption, clientMetadata)
}

export async function postAuthentication(
  engine: EngineContext,
  caller: ClientCaller,
  user: User,
  clientMetadata: Metadata,
): Promise<void> {
  await engine.callTrigger(caller, 'PostAuthentication_Authentication', {
    userName: user.name,
    request: { userAttributes: eventAttributes(caller.pool, user), newDeviceUsed: false, clientMetadata },
  })
}

/** The reason why an account may not sign in, although the user proved to own it. */
function refusalOf({ enabled, status, passwordExpires }: User, now: number): UserPoolError | undefined {
  if (!enabled) return new UserPoolError('NotAuthorizedException', 'User is disabled.')
  switch (status) {
    case 'UNCONFIRMED':
      return new UserPoolError('UserNotConfirmedException', 'User is not confirmed.')
    case 'RESET_REQUIRED':
      return new UserPoolError('PasswordResetRequiredException', 'Password reset required for the user')
    case 'FORCE_CHANGE_PASSWORD':
      return passwordExpires === undefined || passwordExpires > now
        ? undefined
        : new UserPoolError(
            'NotAuthorizedException',
            'Temporary password has expired and must be reset by an administrator.',
          )
    case 'CONFIRMED':
      return undefined
  }
}

/** Issues tokens, if the facts that the user proved are still true. */
export async function signedIn(
  engine: EngineContext,
  caller: ClientCaller,
  user: StoredUser,
  proved: StoredUser,
  source: 'TokenGeneration_Authentication' | 'TokenGeneration_NewPasswordChallenge',
  consumption: Consumption,
  clientMetadata: Metadata,
  changed?: User,
): Promise<SignInResult> {
  const { store, clock, random } = engine
  const { pool, client } = caller
  const now = clock.now()
  const grant: Grant = { id: randomUuid(random), client: client.id, authTime: now, scopes: [ownScope] }
  const tokens = await issueTokens(engine, caller, changed ?? user, grant, source, clientMetadata)
  const refresh = newRefreshToken(engine, caller, user, grant)
  for (let latest = user; ; ) {
    if (!isStillProved(latest, proved)) throw changedMeanwhile()
    const refusal = await store.change({
      pool: pool.id,
      now,
      ...consumption,
      ...(changed === undefined
        ? { unchanged: { id: user.id, was: latest.revision } }
        : { users: [{ user: changed, was: latest.revision }] }),
      adds: [...(consumption.adds ?? []), refresh.grant, refresh.credential],
    })
    if (refusal === undefined) return { tokens: { ...tokens, RefreshToken: refresh.token } }
    if (refusal === 'locked') throw locked()
    if (refusal !== 'changed') throw usedSession()
    const again = await store.user(pool.id, user.id)
    if (again === undefined || changed !== undefined) throw changedMeanwhile()
    latest = again
  }
}

function isStillProved(latest: StoredUser, proved: StoredUser): boolean {
  return latest.enabled && latest.status === proved.status && latest.password === proved.password
}

function changedMeanwhile(): UserPoolError {
  return new UserPoolError('NotAuthorizedException', 'Incorrect username or password.')
}

/** Uses up the credentials of a step, without any other effect. */
export async function consume(
  { store, clock }: EngineContext,
  { pool }: Pick<ClientCaller, 'pool'>,
  consumption: Consumption,
): Promise<void> {
  const refusal = await store.change({ pool: pool.id, now: clock.now(), ...consumption })
  if (refusal === 'locked') throw locked()
  if (refusal !== undefined) throw usedSession()
}
