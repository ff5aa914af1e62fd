import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import { clientHalf, isProof, serverHalf } from '../../srp/exchange.ts'
import type { StoredUser } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { invalidParameter } from '../../users/attributes.ts'
import { hiddenKey } from '../accounts/hidden-users.ts'
import { mismatch } from '../messages/codes.ts'
import { noticeWrongAnswer } from '../messages/takeover-notice.ts'
import { consume } from '../sign-in/consumption.ts'
import {
  answeringAlone,
  type FoundSession,
  findSession,
  type Progress,
  usedSession,
} from '../sign-in/sessions.ts'
import type { SignInResult } from '../sign-in/sign-in-result.ts'
import { locked, wrongPassword } from '../sign-in/subject.ts'
import { authenticatedDevice, deviceGroupKey, existingDevice, unknownDevice } from './devices.ts'
import { askForFactor, factorChallenges, goOn, keepSession, usableFactors } from './second-factors.ts'
import { isSentCode, type SentChallenge } from './sent-factors.ts'
import { checkTotp, decryptedTotp } from './totp.ts'

/** Returns the key for counting an account's wrong codes. */
function factorLockKey(user: string): string {
  return `factor ${user}`
}

/** Adds passed challenges to the progress of a custom authentication, so that its functions know about them. */
function withRound(progress: Progress, ...names: readonly string[]): Progress {
  if (progress.rounds === undefined) return progress
  const more = names.map(challengeName => ({ challengeName, challengeResult: true, challengeMetadata: null }))
  return { ...progress, rounds: [...progress.rounds, ...more] }
}

/**
 * Checks a code, which is a second factor or the first factor. A wrong code does not end the session. Too many wrong
 * codes lock the account, as too many wrong passwords do.
 * @throws UserPoolError for a wrong code, and for a session that was already used
 */
export async function answerCode(
  engine: EngineContext,
  caller: ClientCaller,
  challenge: SentChallenge | 'SOFTWARE_TOKEN_MFA',
  handle: string | undefined,
  code: string,
  device: string | undefined,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const found = await findSession(engine, caller, challenge, handle)
  return answeringAlone(engine, found, () =>
    checkFactorCode(engine, caller, challenge, found, handle, code, device, clientMetadata),
  )
}

async function checkFactorCode(
  engine: EngineContext,
  caller: ClientCaller,
  challenge: SentChallenge | 'SOFTWARE_TOKEN_MFA',
  { state, use }: FoundSession<SentChallenge | 'SOFTWARE_TOKEN_MFA'>,
  handle: string | undefined,
  code: string,
  device: string | undefined,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const { store, clock } = engine
  const { pool } = caller
  const id = state.user ?? hiddenKey(engine, pool, state.sentName)
  const user = await store.user(pool.id, id)
  const key = factorLockKey(id)
  if (await store.isLocked(pool.id, key, clock.now())) throw locked()
  const isSecond = !('isSecond' in state) || state.isSecond
  const proof =
    state.challenge === 'SOFTWARE_TOKEN_MFA'
      ? provedTotp(engine, caller, user, code)
      : isSentCode(engine, pool, user, state, code)
        ? []
        : undefined
  if (proof === undefined || user === undefined) {
    await consume(engine, caller, { attempt: { key, isRight: false } })
    const suspicion = isSecond ? 'wrong codes' : 'wrong first codes'
    await noticeWrongAnswer(engine, caller, user, key, state.sentName, suspicion)
    throw mismatch()
  }
  for (const { kind, id } of proof)
    if ((await store.credential(pool.id, kind, id, clock.now())) !== undefined)
      throw new UserPoolError('ExpiredCodeException', 'Your software token has already been used once.')
  const done = withRound({ ...state.progress, ...(isSecond && { isFactorProved: true }) }, challenge)
  const consumption = { uses: [use], adds: proof, attempt: { key, isRight: true } }
  const progress = device === undefined ? done : { ...done, device }
  return goOn(engine, caller, user, state.sentName, consumption, clientMetadata, progress, handle)
}

function provedTotp(
  engine: EngineContext,
  { pool }: ClientCaller,
  user: StoredUser | undefined,
  code: string,
) {
  const secret = user && decryptedTotp(engine, pool, user, user.factors?.totp)
  const spent = secret === undefined ? undefined : checkTotp(engine, user!, secret, code)
  return spent && [spent]
}

async function userOf(
  { store }: EngineContext,
  { pool }: ClientCaller,
  {
    state,
  }: Pick<FoundSession<'MFA_SETUP'>, 'state'> | { readonly state: { readonly user: string | undefined } },
): Promise<StoredUser> {
  const user = state.user === undefined ? undefined : await store.user(pool.id, state.user)
  if (user === undefined) throw usedSession()
  return user
}

/**
 * Continues with the second factor that the user has chosen.
 * @throws UserPoolError for a factor that the user does not have
 */
export async function answerFactorChoice(
  engine: EngineContext,
  caller: ClientCaller,
  handle: string | undefined,
  answer: string,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const found = await findSession(engine, caller, 'SELECT_MFA_TYPE', handle)
  const user = await userOf(engine, caller, found)
  const factor = usableFactors(caller.pool, user).find(each => factorChallenges[each] === answer)
  if (factor === undefined) throw invalidParameter(`The second factor ${answer} cannot be chosen.`)
  const { sentName, progress = {} } = found.state
  return askForFactor(engine, caller, user, sentName, factor, { uses: [found.use] }, clientMetadata, progress)
}

/**
 * Continues a sign-in after the user has set up an authenticator.
 * @throws UserPoolError when the user has not set up an authenticator
 */
export async function answerSetup(
  engine: EngineContext,
  caller: ClientCaller,
  handle: string | undefined,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const found = await findSession(engine, caller, 'MFA_SETUP', handle)
  const user = await userOf(engine, caller, found)
  const { sentName, progress = {}, isVerified } = found.state
  if (!isVerified) throw invalidParameter('The software token is not verified yet.')
  const done = { ...progress, isFactorProved: true }
  return goOn(engine, caller, user, sentName, { uses: [found.use] }, clientMetadata, done)
}

/**
 * Starts the exchange in which a device proves its key.
 * @throws UserPoolError for a device that the account does not have
 */
export async function answerDeviceSrp(
  engine: EngineContext,
  caller: ClientCaller,
  handle: string | undefined,
  key: string,
  A: string,
): Promise<SignInResult> {
  const half = clientHalf(A)
  if (half === undefined) throw invalidParameter('SRP_A is not valid.')
  const found = await findSession(engine, caller, 'DEVICE_SRP_AUTH', handle)
  const user = await userOf(engine, caller, found)
  const { sentName, progress = {} } = found.state
  if (key !== progress.device) throw unknownDevice()
  const { device } = await existingDevice(engine, caller.pool, user, key)
  const server = serverHalf(BigInt(`0x${device.verifier}`), engine.random)
  const block = Buffer.from(engine.random(48)).toString('base64')
  return keepSession(
    engine,
    caller,
    user,
    sentName,
    { challenge: 'DEVICE_PASSWORD_VERIFIER', half: server, A: half, block },
    { USERNAME: user.name, DEVICE_KEY: key, SALT: device.salt, SRP_B: server.B, SECRET_BLOCK: block },
    { uses: [found.use] },
    progress,
  )
}

/**
 * Checks the proof of a device.
 * @throws UserPoolError for a wrong proof, after which the sign-in has to start again
 */
export async function answerDeviceProof(
  engine: EngineContext,
  caller: ClientCaller,
  handle: string | undefined,
  sentName: DeviceProof,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const found = await findSession(engine, caller, 'DEVICE_PASSWORD_VERIFIER', handle)
  return answeringAlone(engine, found, () => checkDevice(engine, caller, found, sentName, clientMetadata))
}

/** A device's answer to its challenge. */
interface DeviceProof {
  readonly signature: string
  readonly block: string
  readonly timestamp: string
}

async function checkDevice(
  engine: EngineContext,
  caller: ClientCaller,
  { state, use }: FoundSession<'DEVICE_PASSWORD_VERIFIER'>,
  { signature, block, timestamp }: DeviceProof,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const { vault } = engine
  const { pool } = caller
  const user = await userOf(engine, caller, { state })
  const { sentName, progress = {}, half, A, block: own } = state
  const found = await existingDevice(engine, pool, user, progress.device ?? '')
  const { key, verifier } = found.device
  const owner = { poolName: deviceGroupKey(vault, pool, key), userName: key }
  const proof = { signature, block: Buffer.from(own, 'base64'), timestamp }
  const isRight = block === own && isProof(owner, BigInt(`0x${verifier}`), half, A, proof)
  if (!isRight) {
    await consume(engine, caller, { uses: [use] })
    throw wrongPassword()
  }
  const { uses, puts } = authenticatedDevice(engine, pool, found)
  const done = withRound({ ...progress, isDeviceProved: true }, 'DEVICE_SRP_AUTH', 'DEVICE_PASSWORD_VERIFIER')
  return goOn(engine, caller, user, sentName, { uses: [use, ...uses], puts }, clientMetadata, done)
}
