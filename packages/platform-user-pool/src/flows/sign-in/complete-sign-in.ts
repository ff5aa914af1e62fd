import { randomUuid } from '@signalbox/platform-runtime'
import { ownScope } from '../../config/client-config.ts'
import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import type { Credential, StoredUser, User } from '../../store/user-pool-store.ts'
import { type Grant, issueTokens, type TokenSource } from '../../tokens/issue-tokens.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { eventAttributes } from '../../users/attributes.ts'
import { newDeviceKey } from '../factors/devices.ts'
import { type Consumption, consume, withAdded } from './consumption.ts'
import { newBrowserSession } from './new-browser-session.ts'
import { newRefreshToken } from './refresh-tokens.ts'
import { newSession, type Progress, usedSession } from './sessions.ts'
import { keptSignIn } from './sign-in-history.ts'
import type { SignInResult } from './sign-in-result.ts'
import { locked } from './subject.ts'
import { evictSessions } from './tracked-sessions.ts'

/**
 * Continues a sign-in after all factors. Issues tokens, or asks for a new password if the account needs one.
 * @throws UserPoolError for an account that may not sign in, and when a trigger function denies the request or fails
 */
export async function completeSignIn(
  engine: EngineContext,
  caller: ClientCaller,
  user: StoredUser,
  sentName: string,
  consumption: Consumption,
  clientMetadata: Metadata,
  progress: Progress = {},
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
      sentName,
      progress,
    })
    await consume(engine, caller, withAdded(consumption, session.credential))
    const writable = Object.entries(user.attributes).filter(([name]) => !name.endsWith('_verified'))
    const required = pool.required
      .filter(name => !user.attributes[name])
      .map(name => `userAttributes.${name}`)
    return {
      challenge: 'NEW_PASSWORD_REQUIRED',
      parameters: {
        USER_ID_FOR_SRP: user.name,
        USERNAME: user.name,
        userAttributes: JSON.stringify(Object.fromEntries(writable)),
        requiredAttributes: JSON.stringify(required),
      },
      session: session.handle,
    }
  }
  await postAuthentication(engine, caller, user, clientMetadata, progress)
  // Trigger functions might have changed the account.
  const latest = pool.triggers.size === 0 ? user : ((await store.user(pool.id, user.id)) ?? user)
  return signedIn(engine, caller, latest, user, progress, consumption, clientMetadata)
}

export async function postAuthentication(
  engine: EngineContext,
  caller: ClientCaller,
  user: User,
  clientMetadata: Metadata,
  progress: Progress,
): Promise<void> {
  const newDeviceUsed = isNewDevice(caller, progress)
  await engine.callTrigger(caller, 'PostAuthentication_Authentication', {
    userName: user.name,
    request: { userAttributes: eventAttributes(caller.pool, user), newDeviceUsed, clientMetadata },
  })
}

/** Returns whether the pool remembers devices but does not know this one. */
function isNewDevice({ pool }: ClientCaller, { isDeviceProved }: Progress): boolean {
  return pool.devices.remember !== 'off' && isDeviceProved !== true
}

function sourceOf({ isDeviceProved, isNewPassword }: Progress): TokenSource {
  if (isDeviceProved) return 'TokenGeneration_AuthenticateDevice'
  return isNewPassword ? 'TokenGeneration_NewPasswordChallenge' : 'TokenGeneration_Authentication'
}

/** Returns the reason why an account is not allowed to sign in, even though the user has proved to be its owner. */
export function refusalOf(
  { enabled, status, passwordExpires }: User,
  now: number,
): UserPoolError | undefined {
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
    case 'EXTERNAL_PROVIDER':
      return undefined
  }
}

/** Issues tokens or a browser session, if the account has not changed since its user was authenticated. */
export async function signedIn(
  engine: EngineContext,
  caller: ClientCaller,
  user: StoredUser,
  proved: StoredUser,
  progress: Progress,
  consumption: Consumption,
  clientMetadata: Metadata,
  changed?: User,
): Promise<SignInResult> {
  const { store, clock } = engine
  const { pool } = caller
  const now = clock.now()
  const { result, kept } = caller.isHosted
    ? inBrowser(engine, caller, user)
    : await withTokens(engine, caller, user, progress, clientMetadata, changed)
  const factor = progress.isFactorProved ? ('Mfa' as const) : undefined
  const signIn = await keptSignIn(engine, caller, user, { response: 'Pass', factor })
  for (let latest = user; ; ) {
    if (!isStillProved(latest, proved)) throw changedMeanwhile()
    const refusal = await store.change({
      pool: pool.id,
      now,
      ...consumption,
      ...(changed === undefined
        ? { unchanged: { id: user.id, was: latest.revision } }
        : { users: [{ user: changed, was: latest.revision }] }),
      // The ids of these credentials are random, so the store need not check whether they are already in use.
      puts: [...(consumption.puts ?? []), ...kept, ...signIn],
    })
    if (refusal === undefined) {
      if (!caller.isHosted) await evictSessions(engine, pool, user)
      return result
    }
    if (refusal === 'locked') throw locked()
    if (refusal !== 'changed') throw usedSession()
    const again = await store.user(pool.id, user.id)
    if (again === undefined || changed !== undefined) throw changedMeanwhile()
    latest = again
  }
}

/** The result of a sign-in, and the data to store for it. */
interface Issued {
  readonly result: SignInResult
  readonly kept: readonly Credential[]
}

async function withTokens(
  engine: EngineContext,
  caller: ClientCaller,
  user: StoredUser,
  progress: Progress,
  clientMetadata: Metadata,
  changed: User | undefined,
): Promise<Issued> {
  const { clock, random } = engine
  const newDevice = isNewDevice(caller, progress) ? newDeviceKey(engine, caller.pool) : undefined
  const device = newDevice?.DeviceKey ?? (progress.isDeviceProved ? progress.device : undefined)
  const grant: Grant = {
    id: randomUuid(random),
    client: caller.client.id,
    authTime: clock.now(),
    scopes: [ownScope],
    ...(device !== undefined && { device }),
  }
  const tokens = await issueTokens(engine, caller, changed ?? user, grant, sourceOf(progress), clientMetadata)
  const refresh = newRefreshToken(engine, caller, user, grant)
  return {
    result: {
      tokens: {
        ...tokens,
        RefreshToken: refresh.token,
        ...(newDevice !== undefined && { NewDeviceMetadata: newDevice }),
      },
    },
    kept: [refresh.grant, refresh.credential],
  }
}

function inBrowser(engine: EngineContext, caller: ClientCaller, user: StoredUser): Issued {
  const browser = newBrowserSession(engine, caller, user)
  return { result: { browser }, kept: [browser.credential] }
}

function isStillProved(latest: StoredUser, proved: StoredUser): boolean {
  return latest.enabled && latest.status === proved.status && latest.password === proved.password
}

function changedMeanwhile(): UserPoolError {
  return new UserPoolError('NotAuthorizedException', 'Incorrect username or password.')
}
