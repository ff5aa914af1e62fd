import type { ClientCaller, EngineContext, FlowCaller } from '../../context/engine-context.ts'
import type { StoredUser, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { apply } from '../apply.ts'
import { tooOften } from '../messages/codes.ts'
import { consume } from '../sign-in/consumption.ts'
import {
  answeringAlone,
  type FoundSession,
  findSessionOf,
  newSession,
  usedSession,
} from '../sign-in/sessions.ts'
import { checkTotp, decryptedTotp, encryptedTotp, newTotpSecret } from './totp.ts'

const hour = 3_600_000
/** The rate limit for entering the first code of a new authenticator. */
const tries = { most: 15, window: hour }

/** Returns the id of an authenticator's secret in the store until the first code is verified. */
function pendingId({ id }: Pick<User, 'id'>): string {
  return `totp ${id}`
}

/**
 * Creates a new authenticator secret for a signed-in user. The old secret stays valid until the new one is verified.
 * @throws UserPoolError in a pool whose users cannot have an authenticator as a second factor
 */
export async function associateToken(
  engine: EngineContext,
  { pool }: FlowCaller,
  user: StoredUser,
): Promise<string> {
  if (pool.mfa.mode === 'off' || !pool.mfa.by.includes('totp'))
    throw new UserPoolError(
      'SoftwareTokenMFANotFoundException',
      'Software Token MFA has not been enabled by the userPool.',
    )
  const secret = newTotpSecret(engine)
  const now = engine.clock.now()
  const value = encryptedTotp(engine, pool, user, secret)
  await apply(engine, {
    pool: pool.id,
    now,
    puts: [{ kind: 'code', id: pendingId(user), user: user.id, expires: now + hour, value }],
  })
  return secret
}

/**
 * Verifies the first code of an authenticator. From then on, the authenticator is a second factor.
 * @throws UserPoolError for a wrong code
 */
export async function verifyToken(
  engine: EngineContext,
  { pool }: FlowCaller,
  found: StoredUser,
  code: string,
  name: string | undefined,
): Promise<void> {
  const { store, clock } = engine
  const now = clock.now()
  await refuseTooMany(engine, pool.id, found)
  const pending = await store.credential(pool.id, 'code', pendingId(found), now)
  const secret = decryptedTotp(engine, pool, found, pending?.value)
  if (pending === undefined || secret === undefined)
    throw new UserPoolError('InvalidParameterException', 'No software token is waiting to be verified.')
  const spent = checkTotp(engine, found, secret, code)
  if (spent === undefined) throw wrongCode()
  const { revision: was, ...before } = found
  const { id, value } = pending
  await apply(engine, {
    pool: pool.id,
    now,
    users: [{ user: withToken(before, value, name, now), was }],
    uses: [{ kind: 'code', id, value }],
    puts: [spent],
  })
}

/** The caller that sets up an authenticator. This is a hosted page, or a program, which sends only the session. */
type SetupCaller = FlowCaller & Pick<ClientCaller, 'isHosted'>

function setupSession(engine: EngineContext, { pool, isHosted }: SetupCaller, handle: string) {
  return findSessionOf(engine, pool, 'MFA_SETUP', handle, undefined, isHosted)
}

/** The secret of a new authenticator, and the session of the sign-in that asked for it. */
export interface Associated {
  readonly secret: string
  readonly session: string
}

/**
 * Creates an authenticator secret during a sign-in that asks for one.
 * @throws UserPoolError for a session that was already used
 */
export async function associateTokenInSession(
  engine: EngineContext,
  caller: SetupCaller,
  handle: string,
): Promise<Associated> {
  const { state, use } = await setupSession(engine, caller, handle)
  const secret = newTotpSecret(engine)
  const { isVerified: _, ...rest } = state
  const session = newSession(engine, clientOf(caller, state.client), { ...rest, secret })
  await consume(engine, caller, { uses: [use], adds: [session.credential] })
  return { secret, session: session.handle }
}

/**
 * Verifies the first code during a sign-in, and enables the second factor.
 * @throws UserPoolError for a wrong code, after which the session stays valid
 */
export async function verifyTokenInSession(
  engine: EngineContext,
  caller: SetupCaller,
  handle: string,
  code: string,
  name: string | undefined,
): Promise<string> {
  const found = await setupSession(engine, caller, handle)
  return answeringAlone(engine, found, () => checkFirstCode(engine, caller, found, code, name))
}

async function checkFirstCode(
  engine: EngineContext,
  caller: FlowCaller,
  { state, use }: FoundSession<'MFA_SETUP'>,
  code: string,
  name: string | undefined,
): Promise<string> {
  const { store, clock } = engine
  const { pool } = caller
  const found = state.user === undefined ? undefined : await store.user(pool.id, state.user)
  if (found === undefined) throw usedSession()
  await refuseTooMany(engine, pool.id, found)
  const spent = state.secret === undefined ? undefined : checkTotp(engine, found, state.secret, code)
  if (spent === undefined) throw wrongCode()
  const { secret, ...rest } = state
  const session = newSession(engine, clientOf(caller, state.client), { ...rest, isVerified: true })
  const { revision: was, ...before } = found
  const now = clock.now()
  const set = withToken(before, encryptedTotp(engine, pool, found, secret!), name, now)
  const enabled = [...new Set([...set.factors!.enabled, 'totp' as const])]
  await apply(engine, {
    pool: pool.id,
    now,
    users: [{ user: { ...set, factors: { ...set.factors, enabled } }, was }],
    uses: [use],
    adds: [session.credential],
    puts: [spent],
  })
  return session.handle
}

function withToken(user: User, totp: string, totpName: string | undefined, modified: number): User {
  const { enabled = [], preferred } = user.factors ?? {}
  return { ...user, factors: { totp, totpName, enabled, preferred }, modified }
}

function clientOf(caller: SetupCaller, id: string) {
  // The client of a hosted page can be one that is not configured.
  const all = [...caller.pool.clients, ...(caller.client === undefined ? [] : [caller.client])]
  const client = all.find(each => each.id === id)
  if (client === undefined) throw usedSession()
  return { ...caller, client }
}

async function refuseTooMany({ store, clock }: EngineContext, pool: string, { id }: User): Promise<void> {
  if (!(await store.count(pool, `try totp ${id}`, tries, clock.now()))) throw tooOften()
}

function wrongCode(): UserPoolError {
  return new UserPoolError(
    'EnableSoftwareTokenMFAException',
    'Code mismatch and fail enable Software Token MFA',
  )
}
