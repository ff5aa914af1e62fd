import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext, FlowCaller, Metadata } from '../../context/engine-context.ts'
import type { StoredUser, User } from '../../store/user-pool-store.ts'
import { aliasForm, findUser, invalidParameter, normalized } from '../../users/attributes.ts'
import { hiddenKey } from '../accounts/hidden-users.ts'
import { passkeysOf } from '../factors/passkeys.ts'
import { usableFactors } from '../factors/second-factors.ts'
import { askForSentCode, factorDestination } from '../factors/sent-factors.ts'
import { refusalOf } from './complete-sign-in.ts'
import { consume } from './consumption.ts'
import { askForPasskey } from './passkey-sign-in.ts'
import { canMigrate, migrateAtSignIn, provePassword } from './password-sign-in.ts'
import {
  answeringAlone,
  type FoundSession,
  findSession,
  newSession,
  type Progress,
  usedSession,
} from './sessions.ts'
import type { SignInResult } from './sign-in-result.ts'
import { passwordVerifier, srpA } from './srp-sign-in.ts'
import { preAuthentication, type Subject, subjectOf } from './subject.ts'

/** The challenge that a client chooses, with the answer that it sends at the same time. */
export interface Choice {
  /** The chosen challenge. Undefined if the client asks for the list of challenges. */
  readonly challenge: string | undefined
  readonly password: string | undefined
  readonly A: string | undefined
  readonly device: string | undefined
}

const passwordChallenges = ['PASSWORD', 'PASSWORD_SRP']

/**
 * Returns the challenges that a user may begin a sign-in with. Users with a second factor begin with a password, or
 * with a passkey that is both factors, because a code alone would be weaker than two factors. A user name without an
 * account gets a plausible choice, which never changes. If every account with this kind of name can receive a code, the
 * choice for unknown names includes the code too. See docs/decisions/user-pools.md#hidden-users.
 */
export async function availableChallenges(
  engine: EngineContext,
  caller: FlowCaller,
  user: StoredUser | undefined,
  sentName: string,
): Promise<readonly string[]> {
  const { pool } = caller
  const { firstFactors, passkeys } = pool
  const id = user?.id ?? hiddenKey(engine, pool, sentName)
  const hasPasskey =
    firstFactors.includes('passkey') &&
    ((await passkeysOf(engine, pool, { id })).length > 0 ||
      seemsToHave(engine, pool, user, sentName, 'passkey'))
  if (needsBoth(engine, pool, user, sentName))
    return [...passwordChallenges, ...(hasPasskey && passkeys.bothFactors ? ['WEB_AUTHN'] : [])]
  return firstFactors.flatMap(factor => {
    if (factor === 'password') return passwordChallenges
    if (factor === 'passkey') return hasPasskey ? ['WEB_AUTHN'] : []
    const isOffered =
      canReceive(user, factor) ||
      isOfferedToAll(caller, sentName, factor) ||
      seemsToHave(engine, pool, user, sentName, factor)
    if (!isOffered) return []
    return [factor === 'email' ? 'EMAIL_OTP' : 'SMS_OTP']
  })
}

/** Returns whether an account has a verified address for a code. */
function canReceive(user: StoredUser | undefined, factor: 'email' | 'sms'): boolean {
  const destination = user && factorDestination(user, factor)
  return destination !== undefined && user?.attributes[`${destination.attribute}_verified`] === 'true'
}

/**
 * Returns whether every account with this kind of name should have a verified address. It should if the name is an
 * address, or if the pool requires and verifies addresses. A choice without a code would then reveal that no confirmed
 * account exists.
 */
function isOfferedToAll({ pool, client }: FlowCaller, sentName: string, factor: 'email' | 'sms'): boolean {
  const [kind, attribute, form] =
    factor === 'email'
      ? (['email', 'email', 'email'] as const)
      : (['phone', 'phone_number', 'phone number'] as const)
  const isRequired =
    pool.required.includes(attribute) || (pool.signIn.length === 1 && pool.signIn[0] === kind)
  const isExpected = isRequired && pool.verify.includes(kind)
  return client?.hideUsers === true && (aliasForm(pool, sentName) === form || isExpected)
}

/** Returns whether an account needs two factors to sign in. */
function needsBoth(
  engine: EngineContext,
  pool: PoolSettings,
  user: Pick<User, 'attributes' | 'factors'> | undefined,
  sentName: string,
): boolean {
  if (pool.mfa.mode !== 'optional') return pool.mfa.mode === 'required'
  return user === undefined
    ? seemsToHave(engine, pool, user, sentName, 'second factor')
    : usableFactors(pool, user).length > 0
}

/**
 * Returns whether an unknown user name is treated as if its account had a certain property. The result is true for
 * about half of all names.
 */
function seemsToHave(
  { vault }: EngineContext,
  pool: PoolSettings,
  user: unknown,
  sentName: string,
  what: 'passkey' | 'second factor' | 'email' | 'sms',
): boolean {
  const [byte = 0] = vault.derive(normalized(sentName), `feigned ${what} ${pool.id}`, 1)
  return user === undefined && byte % 2 === 1
}

/**
 * Begins a sign-in in which the user chooses the challenge.
 * @throws UserPoolError when the trigger function denies the request or fails, and for a wrong password
 */
export async function beginChoice(
  engine: EngineContext,
  caller: ClientCaller,
  sentName: string,
  choice: Choice,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  if (await isOnlyMigratable(engine, caller, sentName, choice))
    return askForChoice(engine, caller, undefined, sentName, choice, ['PASSWORD'])
  const isCounted =
    choice.challenge === 'PASSWORD' &&
    mayMigrate(caller) &&
    (await migrateAtSignIn(engine, caller, sentName, passwordOf(choice), clientMetadata))
  const subject = await subjectOf(engine, caller, sentName, isCounted)
  await preAuthentication(engine, caller, subject, clientMetadata)
  const available = await availableChallenges(engine, caller, subject.user, sentName)
  if (choice.challenge !== undefined && available.includes(choice.challenge))
    return chosen(engine, caller, subject, sentName, choice, undefined)
  if (isAskedOfEveryone(caller, choice))
    return chosen(engine, caller, { ...subject, user: undefined }, sentName, choice, undefined)
  return askForChoice(engine, caller, subject.user, sentName, choice, available)
}

/**
 * Returns whether a sign-in with a password may migrate an account. It may if every account of the pool can begin with
 * a password, and accounts can come from elsewhere.
 */
function mayMigrate({ pool }: ClientCaller): boolean {
  const isForAll = pool.firstFactors.includes('password') || pool.mfa.mode === 'required'
  return isForAll && canMigrate(pool)
}

/**
 * Returns whether the only possible next step for a name is the password that migrates its account. This is the case for
 * an unknown name when the client may know which users exist, and has not sent the password yet.
 */
async function isOnlyMigratable(
  { store }: EngineContext,
  caller: ClientCaller,
  sentName: string,
  { challenge }: Choice,
): Promise<boolean> {
  if (challenge === 'PASSWORD' || caller.client.hideUsers || !mayMigrate(caller)) return false
  return (await findUser(store, caller.pool, sentName)) === undefined
}

/** Asks the client to choose one of the challenges. */
async function askForChoice(
  engine: EngineContext,
  caller: ClientCaller,
  user: StoredUser | undefined,
  sentName: string,
  { device }: Choice,
  available: readonly string[],
): Promise<SignInResult> {
  const session = newSession(engine, caller, {
    challenge: 'SELECT_CHALLENGE',
    client: caller.client.id,
    user: user?.id,
    sentName,
    progress: { device },
  })
  await consume(engine, caller, { adds: [session.credential] })
  return {
    challenge: 'SELECT_CHALLENGE',
    parameters: {},
    session: session.handle,
    available,
  }
}

/**
 * Returns whether even users without a passkey are asked for a passkey, as unknown users are. Otherwise, a hosted page
 * would reveal which accounts have no passkey.
 */
function isAskedOfEveryone({ pool, client, isHosted }: ClientCaller, { challenge }: Choice): boolean {
  return (
    isHosted === true &&
    client.hideUsers &&
    challenge === 'WEB_AUTHN' &&
    pool.firstFactors.includes('passkey')
  )
}

/**
 * Continues with the chosen challenge.
 * @throws UserPoolError for an unavailable challenge, and for a wrong password
 */
export async function answerChoice(
  engine: EngineContext,
  caller: ClientCaller,
  handle: string | undefined,
  choice: Choice,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const found = await findSession(engine, caller, 'SELECT_CHALLENGE', handle)
  return answeringAlone(engine, found, () => takeChoice(engine, caller, found, choice, clientMetadata))
}

async function takeChoice(
  engine: EngineContext,
  caller: ClientCaller,
  { state, use }: FoundSession<'SELECT_CHALLENGE'>,
  choice: Choice,
  clientMetadata: Metadata,
): Promise<SignInResult> {
  const migrates = state.user === undefined && choice.challenge === 'PASSWORD' && mayMigrate(caller)
  const isCounted =
    migrates && (await migrateAtSignIn(engine, caller, state.sentName, passwordOf(choice), clientMetadata))
  const subject = await subjectOf(engine, caller, state.sentName, isCounted)
  // The account did not exist yet when the sign-in began, so the function has not seen its attributes.
  if (migrates && subject.user !== undefined) await preAuthentication(engine, caller, subject, clientMetadata)
  // The name might have moved to another account in the meantime.
  else if (subject.user?.id !== state.user) throw usedSession()
  const available = await availableChallenges(engine, caller, subject.user, state.sentName)
  if (!available.includes(choice.challenge ?? ''))
    throw invalidParameter(`The challenge ${choice.challenge ?? ''} cannot be chosen.`)
  const device = choice.device ?? state.progress?.device
  return chosen(engine, caller, subject, state.sentName, { ...choice, device }, use)
}

async function chosen(
  engine: EngineContext,
  caller: ClientCaller,
  subject: Subject,
  sentName: string,
  choice: Choice,
  use: Awaited<ReturnType<typeof findSession>>['use'] | undefined,
): Promise<SignInResult> {
  const { challenge, A, device } = choice
  const uses = use === undefined ? {} : { uses: [use] }
  if (challenge === 'PASSWORD')
    return provePassword(engine, caller, subject, sentName, passwordOf(choice), { device }, uses)
  if (challenge === 'PASSWORD_SRP') {
    const half = srpA(A)
    await consume(engine, caller, uses)
    return passwordVerifier(engine, caller, subject, sentName, half)
  }
  const who = { user: mayBeAsked(engine, subject.user), name: subject.recognition.owner, sentName }
  const progress: Progress = { device }
  if (challenge === 'WEB_AUTHN') {
    const isBoth = needsBoth(engine, caller.pool, subject.user, sentName)
    return askForPasskey(engine, caller, { ...who, isBoth, progress }, uses)
  }
  const factor = challenge === 'EMAIL_OTP' ? 'email' : 'sms'
  const asked = {
    ...who,
    user: canReceive(subject.user, factor) ? who.user : undefined,
    challenge: challenge === 'EMAIL_OTP' ? ('EMAIL_OTP' as const) : ('SMS_OTP' as const),
    isSecond: false,
    progress,
  }
  return askForSentCode(engine, caller, asked, uses, {})
}

/**
 * Returns the password that the client sent.
 * @throws UserPoolError for a missing password
 */
function passwordOf({ password }: Choice): string {
  if (password === undefined) throw invalidParameter('Missing required parameter PASSWORD')
  return password
}

/**
 * Returns the user, or undefined if the user must not be asked for a code or passkey. Accounts that are not allowed to
 * sign in get no code, and their passkeys stay hidden.
 */
function mayBeAsked({ clock }: EngineContext, user: StoredUser | undefined): StoredUser | undefined {
  return user === undefined || refusalOf(user, clock.now()) !== undefined ? undefined : user
}
