import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import type { Factor, StoredUser, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { completeSignIn, refusalOf } from '../sign-in/complete-sign-in.ts'
import { type Consumption, consume, withAdded, withPut } from '../sign-in/consumption.ts'
import { customRound } from '../sign-in/custom-auth.ts'
import { newSession, type Progress, type SessionState, usedSession } from '../sign-in/sessions.ts'
import { keptSignIn } from '../sign-in/sign-in-history.ts'
import type { SignInResult } from '../sign-in/sign-in-result.ts'
import { subjectOf } from '../sign-in/subject.ts'
import { deviceOf, unknownDevice } from './devices.ts'
import { askForSentCode, factorDestination } from './sent-factors.ts'

/** The challenges that ask for second factors. */
export const factorChallenges = {
  totp: 'SOFTWARE_TOKEN_MFA',
  sms: 'SMS_MFA',
  email: 'EMAIL_OTP',
} as const satisfies { readonly [F in Factor]: string }

/** Returns the second factors that the account has set up and the pool allows. */
export function usableFactors({ mfa }: PoolSettings, user: Pick<User, 'attributes' | 'factors'>): Factor[] {
  if (mfa.mode === 'off') return []
  return mfa.by.filter(factor => {
    const isEnabled = user.factors?.enabled.includes(factor) === true
    if (factor === 'totp') return user.factors?.totp !== undefined && (isEnabled || mfa.mode === 'required')
    const destination = factorDestination(user, factor)
    if (destination === undefined) return false
    return (
      isEnabled ||
      (mfa.mode === 'required' && user.attributes[`${destination.attribute}_verified`] === 'true')
    )
  })
}

/**
 * Continues a sign-in after the first factor. If the pool requires them, the second factor and the device come next.
 * Then follow custom challenges or tokens.
 * @param handle the handle of the answered session. The device challenge reuses this handle, because clients send it
 * again.
 * @throws UserPoolError for a device that the account does not have, and for the same reasons as `completeSignIn`
 */
export async function goOn(
  engine: EngineContext,
  caller: ClientCaller,
  user: StoredUser,
  sentName: string,
  consumption: Consumption,
  clientMetadata: Metadata,
  progress: Progress,
  handle?: string,
): Promise<SignInResult> {
  const isUsable =
    refusalOf(user, engine.clock.now()) === undefined && user.status !== 'FORCE_CHANGE_PASSWORD'
  if (isUsable) {
    const asked = await nextChallenge(
      engine,
      caller,
      user,
      sentName,
      consumption,
      clientMetadata,
      progress,
      handle,
    )
    if (asked !== undefined) return asked
  }
  if (progress.rounds === undefined)
    return completeSignIn(engine, caller, user, sentName, consumption, clientMetadata, progress)
  const subject = await subjectOf(engine, caller, sentName)
  // The name might have moved to another account in the meantime.
  if (subject.user?.id !== user.id) throw usedSession()
  return customRound(
    engine,
    caller,
    subject,
    sentName,
    progress.rounds,
    consumption,
    clientMetadata,
    undefined,
    progress,
  )
}

/** Returns whether a sign-in to an account requires more than the password. */
export function asksForMore(pool: PoolSettings, user: User, { device }: Progress): boolean {
  return (
    pool.mfa.mode === 'required' ||
    usableFactors(pool, user).length > 0 ||
    (device !== undefined && pool.devices.remember !== 'off')
  )
}

async function nextChallenge(
  engine: EngineContext,
  caller: ClientCaller,
  user: StoredUser,
  sentName: string,
  consumption: Consumption,
  clientMetadata: Metadata,
  progress: Progress,
  handle: string | undefined,
): Promise<SignInResult | undefined> {
  const { pool } = caller
  const key = pool.devices.remember === 'off' ? undefined : progress.device
  const device = key === undefined ? undefined : (await deviceOf(engine, pool, user, key))?.device
  if (key !== undefined && device === undefined) {
    // After this error, the client sends the same answer again without the device. The session must stay valid for
    // this, so only the attempt is counted.
    const { attempt } = consumption
    if (attempt !== undefined) await consume(engine, caller, { attempt })
    throw unknownDevice()
  }
  const maySkip = device?.isRemembered === true && pool.devices.skipFactor
  if (!progress.isFactorProved && !maySkip) {
    const asked = await factorChallenge(engine, caller, user, sentName, consumption, clientMetadata, progress)
    if (asked !== undefined) return asked
  }
  if (device === undefined || progress.isDeviceProved) return undefined
  return keepSession(
    engine,
    caller,
    user,
    sentName,
    { challenge: 'DEVICE_SRP_AUTH' },
    { USERNAME: user.name, DEVICE_KEY: device.key },
    consumption,
    progress,
    handle,
  )
}

/**
 * Asks for a second factor, for a choice between several, or for the setup of one. Returns undefined if no second
 * factor is needed.
 */
async function factorChallenge(
  engine: EngineContext,
  caller: ClientCaller,
  user: StoredUser,
  sentName: string,
  before: Consumption,
  clientMetadata: Metadata,
  progress: Progress,
): Promise<SignInResult | undefined> {
  const { pool } = caller
  const usable = usableFactors(pool, user)
  if (usable.length === 0 && pool.mfa.mode !== 'required') return undefined
  const kept = await keptSignIn(engine, caller, user, { response: 'InProgress' })
  const consumption = { ...before, puts: [...(before.puts ?? []), ...kept] }
  const preferred = usable.length === 1 ? usable[0] : usable.find(each => each === user.factors?.preferred)
  if (preferred !== undefined)
    return askForFactor(engine, caller, user, sentName, preferred, consumption, clientMetadata, progress)
  const keep = (challenge: 'SELECT_MFA_TYPE' | 'MFA_SETUP', parameters: { [name: string]: string }) =>
    keepSession(engine, caller, user, sentName, { challenge }, parameters, consumption, progress)
  if (usable.length > 1)
    return keep('SELECT_MFA_TYPE', {
      MFAS_CAN_CHOOSE: JSON.stringify(usable.map(each => factorChallenges[each])),
    })
  if (!pool.mfa.by.includes('totp'))
    throw new UserPoolError(
      'InvalidParameterException',
      'The user pool requires a second factor, and the user has no verified address for one.',
    )
  return keep('MFA_SETUP', { MFAS_CAN_SETUP: JSON.stringify([factorChallenges.totp]) })
}

/** Asks for a certain second factor. */
export async function askForFactor(
  engine: EngineContext,
  caller: ClientCaller,
  user: StoredUser,
  sentName: string,
  factor: Factor,
  consumption: Consumption,
  clientMetadata: Metadata,
  progress: Progress,
): Promise<SignInResult> {
  const challenge = factorChallenges[factor]
  if (challenge === 'SOFTWARE_TOKEN_MFA') {
    const name = user.factors?.totpName
    const parameters = { ...(name !== undefined && { FRIENDLY_DEVICE_NAME: name }) }
    return keepSession(engine, caller, user, sentName, { challenge }, parameters, consumption, progress)
  }
  const asked = { user, name: user.name, sentName, challenge, isSecond: true, progress }
  return askForSentCode(engine, caller, asked, consumption, clientMetadata)
}

/**
 * Returns a challenge, and stores what is needed to check the answer.
 * @param handle the session handle, for challenges whose clients do not accept a new one
 */
export async function keepSession(
  engine: EngineContext,
  caller: ClientCaller,
  user: StoredUser,
  sentName: string,
  state: DistributedOmit<SessionState>,
  parameters: { readonly [name: string]: string },
  consumption: Consumption,
  progress: Progress,
  handle?: string,
): Promise<SignInResult> {
  const about = { client: caller.client.id, user: user.id, sentName, progress }
  const session = newSession(engine, caller, { ...state, ...about } as SessionState, handle)
  const { credential } = session
  const kept = handle === undefined ? withAdded(consumption, credential) : withPut(consumption, credential)
  await consume(engine, caller, kept)
  return {
    challenge: state.challenge,
    parameters: { USER_ID_FOR_SRP: user.name, ...parameters },
    session: session.handle,
  }
}

/** The fields of each kind of session, apart from the fields that all kinds have. */
type DistributedOmit<S> = S extends SessionState
  ? Omit<S, 'client' | 'user' | 'sentName' | 'progress'>
  : never
