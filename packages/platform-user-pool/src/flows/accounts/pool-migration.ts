import { randomUuid } from '@signalbox/platform-runtime'
import type { MigrationSettings } from '../../config/migration-config.ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../../context/engine-context.ts'
import { turnsByKey } from '../../hashes/turns.ts'
import type { User } from '../../store/user-pool-store.ts'
import { rateExceeded, UserPoolError } from '../../user-pool-error.ts'
import {
  findUser,
  hasAttribute,
  invalidParameter,
  isUuid,
  normalized,
  readAttributes,
  refuseOtherId,
  withAttributes,
} from '../../users/attributes.ts'
import { applyAgain } from '../apply.ts'
import { locked, wrongPassword } from '../sign-in/subject.ts'
import { takenAliases } from './aliases.ts'
import { hiddenKey } from './hidden-users.ts'
import { askOldPool, type OldAccount } from './old-pool.ts'
import { encryptedPassword } from './passwords.ts'
import { refuseBadName } from './sign-up.ts'

const never = Number.MAX_SAFE_INTEGER
const day = 24 * 3_600_000

/** How many sign-ins of this process may wait for the pool that users of one pool come from. */
const mostAsking = 32

/** The questions by pool. There is one at a time for each name, so that guesses sent at once are counted in between. */
const questions = new Map<string, ReturnType<typeof turnsByKey>>()

/**
 * Takes over the account of a user who signs in with a password and has none here, if the pool that users come from has
 * it. Without an account there, nothing happens. The account keeps its `sub`, so that it can come only once.
 * @param sentName a name without an account
 * @returns whether the password was counted as a wrong one
 * @throws UserPoolError when the other pool refuses the sign-in or cannot be asked, so that no account is made
 */
export async function takeOver(
  engine: EngineContext,
  caller: ClientCaller,
  settings: MigrationSettings,
  sentName: string,
  password: string,
): Promise<boolean> {
  const { pool } = caller
  const key = `password ${hiddenKey(engine, pool, sentName)}`
  const turns = questions.get(pool.id) ?? turnsByKey(mostAsking)
  questions.set(pool.id, turns)
  const taken = turns.take(key, () => takeOverInTurn(engine, caller, settings, sentName, password, key))
  if (taken === undefined) throw rateExceeded(5)
  return taken
}

async function takeOverInTurn(
  engine: EngineContext,
  caller: ClientCaller,
  settings: MigrationSettings,
  sentName: string,
  password: string,
  key: string,
): Promise<boolean> {
  const { store, clock } = engine
  const { pool, client } = caller
  const refuseLocked = async () => {
    if (await store.isLocked(pool.id, key, clock.now())) throw locked()
  }
  const countWrong = async () => {
    const change = { pool: pool.id, now: clock.now(), attempt: { key, isRight: false } }
    if ((await store.change(change)) === 'locked') throw locked()
    return true
  }
  // A sign-in before this one might have taken over the account.
  if ((await findUser(store, pool, sentName)) !== undefined) return false
  // Guesses are stopped here, so that they do not keep the account locked there.
  await refuseLocked()
  const answer = await asked(engine, pool, settings, sentName, password)
  // Another platform might have counted guesses in the meantime.
  await refuseLocked()
  switch (answer.kind) {
    case 'account': {
      const isAdded = await moved(engine, caller, settings, sentName, password, answer.account)
      return isAdded || !client.hideUsers ? false : countWrong()
    }
    case 'busy':
      throw rateExceeded(5)
    case 'challenged':
      await noticeOnce(engine, pool, answer.challenge, challengeNotice(pool, settings, answer.challenge))
      throw new UserPoolError('NotAuthorizedException', challengeText(answer.challenge))
    case 'unknown':
      return client.hideUsers && countWrong()
    case 'wrong':
    case 'refused': {
      // It counts here already, because a function of PreAuthentication might end the sign-in.
      await countWrong()
      // The sign-in goes on as with any unknown name.
      if (client.hideUsers) return true
      if (answer.kind === 'wrong') throw wrongPassword()
      throw new UserPoolError('NotAuthorizedException', refusedText(answer.message))
    }
  }
}

const factorChallenges = ['SMS_MFA', 'EMAIL_OTP', 'SOFTWARE_TOKEN_MFA', 'SELECT_MFA_TYPE']

function challengeText(challenge: string): string {
  if (challenge === 'NEW_PASSWORD_REQUIRED')
    return 'This account has a temporary password. Choose a new one where the account is, and sign in here after that.'
  if (challenge === 'MFA_SETUP')
    return 'This account has to get a second factor where it is, and cannot move here by its password alone.'
  return factorChallenges.includes(challenge)
    ? 'This account has a second factor where it is, and cannot move here by its password alone.'
    : 'This account needs more than its password where it is, and cannot move here by its password alone.'
}

function refusedText(message: string): string {
  return `The account is refused where it is: ${message.replaceAll(/\p{C}+/gu, ' ').slice(0, 300)}`
}

function challengeNotice({ name }: PoolSettings, { pool }: MigrationSettings, challenge: string): string {
  return `A user could not move from the user pool ${pool} to ${name}, because ${pool} asks for more than the password: ${challenge}.`
}

/** Asks the other pool. Failures are noticed, at most once in five minutes. */
async function asked(
  engine: EngineContext,
  pool: PoolSettings,
  settings: MigrationSettings,
  sentName: string,
  password: string,
) {
  try {
    return await askOldPool(engine, settings, sentName, password)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await noticeFailure(engine, pool, settings, 'A user', `it cannot be asked: ${reason}`)
    throw new UserPoolError(
      'ServiceUnavailableException',
      'The account could not be looked up where it is. Try again later.',
    )
  }
}

/** Notices why an account could not be taken over, at most once in five minutes for each reason. */
async function noticeFailure(
  { store, clock, notice }: EngineContext,
  pool: PoolSettings,
  { pool: from }: MigrationSettings,
  who: string,
  reason: string,
): Promise<void> {
  // Messages of the service can quote what a user has sent, which makes no other reason.
  const key = `migration failure ${reason.replaceAll(/(['"]).*?\1/g, '')}`
  if (await store.count(pool.id, key, { most: 1, window: 300_000 }, clock.now()))
    notice(`${who} could not move from the user pool ${from} to ${pool.name}: ${reason}`)
}

/** Tells the operator something about a migration, once a day. */
async function noticeOnce(
  { store, clock, notice }: EngineContext,
  pool: PoolSettings,
  about: string,
  text: string,
): Promise<void> {
  if (await store.count(pool.id, `migration ${about}`, { most: 1, window: day }, clock.now())) notice(text)
}

/**
 * Adds an account.
 * @returns whether the name has an account after that
 * @throws UserPoolError without the reason, which the operator gets, when the pool cannot have this account
 */
async function moved(
  engine: EngineContext,
  caller: ClientCaller,
  settings: MigrationSettings,
  sentName: string,
  password: string,
  account: OldAccount,
): Promise<boolean> {
  const { store } = engine
  const { pool } = caller
  try {
    await add(engine, caller, settings, sentName, password, account)
  } catch (error) {
    // A simultaneous sign-in at another platform might have taken over the same account.
    if ((await findUser(store, pool, sentName)) !== undefined) return true
    if (!(error instanceof UserPoolError) || error.type === 'TooManyRequestsException') throw error
    await noticeFailure(engine, pool, settings, `The user ${account.sub}`, error.message)
    throw new UserPoolError(
      'NotAuthorizedException',
      'This account cannot move here as it is. Please contact the administrators, who know the reason.',
    )
  }
  return (await findUser(store, pool, sentName)) !== undefined
}

async function add(
  engine: EngineContext,
  caller: ClientCaller,
  settings: MigrationSettings,
  sentName: string,
  password: string,
  { sub, username, attributes: offered, groups }: OldAccount,
): Promise<void> {
  const { store, clock, random, vault } = engine
  const { pool } = caller
  const id = isUuid(sub) ? sub.toLowerCase() : randomUuid(random)
  const name = pool.signIn.includes('name') ? username : id
  const once = { kind: 'migrated' as const, id: vault.digest(sub, `migrated ${pool.id}`) }
  // An account that was deleted here does not come again, and one under another name is not a way around its password.
  const isThere =
    (await store.credential(pool.id, once.kind, once.id, clock.now())) !== undefined ||
    (await findUser(store, pool, id)) !== undefined ||
    (await findUser(store, pool, name)) !== undefined
  if (isThere) return
  refuseBadName(pool, name)
  refuseOtherId(name, id)
  const [known, unknown] = [offered.filter(isKept(pool)), offered.filter(each => !isKept(pool)(each))]
  const identity = { id, name }
  const now = clock.now()
  const user: User = withAttributes(
    pool,
    {
      ...identity,
      attributes: readAttributes(pool, known, true),
      status: 'CONFIRMED',
      enabled: true,
      password: encryptedPassword(engine, pool, identity, password),
      signInNames: [],
      created: now,
      modified: now,
    },
    {},
  )
  if (!user.signInNames.includes(normalized(sentName)) && normalized(sentName) !== id)
    throw invalidParameter(`users sign in there with a name that the signIn of ${pool.name} does not allow.`)
  await applyAgain(engine, async () => ({
    pool: pool.id,
    now,
    users: [{ user, was: undefined, groups }, ...(await takenAliases(engine, pool, user, false))],
    adds: [{ ...once, user: '', expires: never, value: '' }],
  }))
  await noticeLost(
    engine,
    caller,
    settings,
    unknown.map(({ Name }) => Name),
    groups,
  )
}

/** Returns whether a pool keeps an attribute of an account. What the service keeps for itself stays there. */
function isKept(pool: PoolSettings) {
  return ({ Name }: { readonly Name: string }) => Name !== 'identities' && hasAttribute(pool, Name)
}

/** Tells the operator which attributes and groups the pool lacks, because users lose them. */
async function noticeLost(
  engine: EngineContext,
  { pool }: ClientCaller,
  { pool: from }: MigrationSettings,
  attributes: readonly string[],
  groups: readonly string[],
): Promise<void> {
  const here = new Set((await engine.store.groups(pool.id)).map(({ name }) => name))
  const lost = [
    ...attributes
      .filter(name => !/^(?:cognito:|identities$)/.test(name))
      .map(name => `the attribute ${name}`),
    ...groups.filter(name => !here.has(name)).map(name => `the group ${name}`),
  ]
  for (const what of lost)
    await noticeOnce(
      engine,
      pool,
      what,
      `A user has moved from the user pool ${from} to ${pool.name} without ${what}, which ${pool.name} does not have.`,
    )
}
