import { randomUuid } from '@signalbox/platform-runtime'
import type { MigrationSettings } from '../../config/migration-config.ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../../context/engine-context.ts'
import type { User } from '../../store/user-pool-store.ts'
import { rateExceeded, UserPoolError } from '../../user-pool-error.ts'
import {
  findUser,
  hasAttribute,
  isUuid,
  normalized,
  readAttributes,
  refuseProviderName,
  withAttributes,
} from '../../users/attributes.ts'
import { applyAgain } from '../apply.ts'
import { locked, wrongPassword } from '../sign-in/subject.ts'
import { takenAliases } from './aliases.ts'
import { hiddenKey } from './hidden-users.ts'
import { askOldPool, type OldAccount } from './old-pool.ts'
import { encryptedPassword } from './passwords.ts'
import { refuseMalformedName } from './sign-up.ts'

const never = Number.MAX_SAFE_INTEGER
const day = 24 * 3_600_000

/** How many sign-ins of this process may wait for the other pool. */
const mostAsking = 32
let asking = 0

/**
 * Takes over the account of a user who signs in with a password and has none here, if the pool that users come from has
 * it. Without an account there, nothing happens. The account keeps its `sub`, so that it can come only once.
 * @param sentName a name without an account
 * @throws UserPoolError when the other pool refuses the sign-in or cannot be asked, so that no account is made
 */
export async function takeOver(
  engine: EngineContext,
  caller: ClientCaller,
  settings: MigrationSettings,
  sentName: string,
  password: string,
): Promise<void> {
  const { store, clock } = engine
  const { pool, client } = caller
  const key = `password ${hiddenKey(engine, pool, sentName)}`
  // Guesses are stopped here, so that they do not keep the account locked there.
  if (await store.isLocked(pool.id, key, clock.now())) throw locked()
  const answer = await asked(engine, pool, settings, sentName, password)
  switch (answer.kind) {
    case 'account':
      return add(engine, caller, settings, sentName, password, answer.account)
    case 'busy':
      throw rateExceeded(5)
    case 'challenged':
      await noticeOnce(engine, pool, answer.challenge, challengeNotice(pool, settings, answer.challenge))
      throw new UserPoolError(
        'NotAuthorizedException',
        answer.challenge === 'NEW_PASSWORD_REQUIRED'
          ? 'This account has a temporary password. Choose a new one where the account is, and sign in here after that.'
          : 'This account has a second factor where it is, and cannot move here by its password alone.',
      )
    case 'unknown':
      return
    case 'wrong':
    case 'refused': {
      // The sign-in goes on as with any unknown name, and counts the attempt.
      if (client.hideUsers) return
      const change = { pool: pool.id, now: clock.now(), attempt: { key, isRight: false } }
      if ((await store.change(change)) === 'locked') throw locked()
      if (answer.kind === 'wrong') throw wrongPassword()
      throw new UserPoolError('NotAuthorizedException', refusedText(answer.message))
    }
  }
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
  if (asking >= mostAsking) throw rateExceeded(5)
  asking++
  try {
    return await askOldPool(engine, settings, sentName, password)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    return failed(engine, pool, settings, `it cannot be asked: ${reason}`)
  } finally {
    asking--
  }
}

/** Notices why an account could not be taken over, at most once in five minutes, and throws an error without the reason. */
async function failed(
  { store, clock, notice }: EngineContext,
  pool: PoolSettings,
  { pool: from }: MigrationSettings,
  reason: string,
): Promise<never> {
  if (await store.count(pool.id, 'migration failure', { most: 1, window: 300_000 }, clock.now()))
    notice(`A user could not move from the user pool ${from} to ${pool.name}: ${reason}`)
  throw new UserPoolError(
    'ServiceUnavailableException',
    'The account could not be looked up where it is. Try again later.',
  )
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
    (await store.user(pool.id, id)) !== undefined ||
    (await findUser(store, pool, name)) !== undefined
  if (isThere) return
  refuseMalformedName(name)
  refuseProviderName(pool, name)
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
    return failed(
      engine,
      pool,
      settings,
      `users sign in there with a name that the signIn of ${pool.name} does not allow.`,
    )
  await noticeLost(
    engine,
    caller,
    settings,
    unknown.map(({ Name }) => Name),
    groups,
  )
  try {
    await applyAgain(engine, async () => ({
      pool: pool.id,
      now,
      users: [{ user, was: undefined, groups }, ...(await takenAliases(engine, pool, user, false))],
      adds: [{ ...once, user: '', expires: never, value: '' }],
    }))
  } catch (error) {
    // A simultaneous sign-in might have taken over the same account.
    if ((await findUser(store, pool, sentName)) === undefined) throw error
  }
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
