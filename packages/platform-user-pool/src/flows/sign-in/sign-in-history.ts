import { randomUuid } from '@signalbox/platform-runtime'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../../context/engine-context.ts'
import type { Credential, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { activity } from './tracked-sessions.ts'

/** How many sign-ins with a right answer are kept for a user, because a program with the password can cause any number. */
const limit = { most: 100, window: 3_600_000 }

/** What is proved, or was wrong. */
type Factor = 'Password' | 'Mfa'

/** A sign-in in the history of its user. Times are milliseconds since the epoch. */
export interface SignIn {
  readonly id: string
  readonly at: number
  /** `InProgress` for a sign-in whose second factor is asked for. */
  readonly response: 'Pass' | 'Fail' | 'InProgress'
  readonly client: string
  /** The name and version of the SDK. */
  readonly agent: string
  readonly address?: string | undefined
  readonly factor?: Factor | undefined
  /** Whether this refused sign-in has locked the account for some time. */
  readonly isLocking?: boolean | undefined
  /** What an administrator says about it. */
  readonly feedback?: { readonly value: 'Valid' | 'Invalid'; readonly at: number }
}

type Kept = Pick<SignIn, 'response' | 'factor' | 'isLocking'>

/**
 * Returns what the change that completes a step of a sign-in adds to the history of the user. Empty if the pool keeps none,
 * or has kept too many in an hour.
 */
export async function keptSignIn(
  engine: Pick<EngineContext, 'store' | 'clock' | 'random'>,
  caller: ClientCaller,
  user: Pick<User, 'id'>,
  kept: Kept,
): Promise<readonly Credential[]> {
  const { store, clock } = engine
  const { pool } = caller
  if (pool.history === undefined) return []
  const isAllowed = await store.count(pool.id, `kept sign-ins ${user.id}`, limit, clock.now())
  return isAllowed ? [newSignIn(engine, caller, pool.history, user, kept)] : []
}

function newSignIn(
  engine: Pick<EngineContext, 'clock' | 'random'>,
  caller: ClientCaller,
  history: number,
  user: Pick<User, 'id'>,
  kept: Kept,
): Credential {
  const at = engine.clock.now()
  const value = JSON.stringify({ ...kept, ...activity(caller), at } satisfies Omit<SignIn, 'id'>)
  return { kind: 'sign-in', id: randomUuid(engine.random), user: user.id, expires: at + history, value }
}

/**
 * Keeps a refused sign-in, after the answer. A name without an account causes the same work, and nothing is kept. The lockout
 * bounds how many there are.
 */
export function keepRefusedSignIn(
  engine: EngineContext,
  caller: ClientCaller,
  user: Pick<User, 'id'> | undefined,
  refused: Pick<Kept, 'factor' | 'isLocking'>,
): void {
  const { store, clock } = engine
  const { id: pool, history } = caller.pool
  if (history === undefined) return
  const now = clock.now()
  const signIn = newSignIn(engine, caller, history, user ?? { id: '' }, { response: 'Fail', ...refused })
  const put = user === undefined ? { ...signIn, id: 'nobody', expires: now } : signIn
  const keep = async () => {
    await new Promise(resolve => setImmediate(resolve))
    await store.change({ pool, now, puts: [put] })
  }
  engine.background(keep())
}

/**
 * Lists the sign-ins of a user that the pool has kept, the latest first.
 * @throws UserPoolError when the pool keeps none
 */
export async function signInsOf(
  { store, clock }: Pick<EngineContext, 'store' | 'clock'>,
  pool: PoolSettings,
  user: Pick<User, 'id'>,
): Promise<readonly SignIn[]> {
  if (pool.history === undefined)
    throw new UserPoolError('UserPoolAddOnNotEnabledException', 'The user pool keeps no history of sign-ins.')
  const stored = await store.credentialsOf(pool.id, user.id, 'sign-in', clock.now())
  return stored.map(signInIn).sort((one, other) => other.at - one.at || (one.id < other.id ? -1 : 1))
}

/**
 * Stores what an administrator says about a sign-in.
 * @throws UserPoolError for a sign-in that the user does not have
 */
export async function judgeSignIn(
  engine: Pick<EngineContext, 'store' | 'clock'>,
  pool: PoolSettings,
  user: Pick<User, 'id'>,
  id: string,
  judgement: NonNullable<SignIn['feedback']>['value'],
): Promise<void> {
  const { store, clock } = engine
  const now = clock.now()
  const isTheirs = (await signInsOf(engine, pool, user)).some(each => each.id === id)
  const stored = isTheirs ? await store.credential(pool.id, 'sign-in', id, now) : undefined
  if (stored === undefined) throw new UserPoolError('ResourceNotFoundException', 'Auth event does not exist.')
  const { id: _, ...signIn } = signInIn(stored)
  const judged: Omit<SignIn, 'id'> = { ...signIn, feedback: { value: judgement, at: now } }
  const { kind, value } = stored
  const puts = [{ ...stored, value: JSON.stringify(judged) }]
  const refusal = await store.change({ pool: pool.id, now, uses: [{ kind, id, value }], puts })
  // Another administrator was faster, and the later word counts.
  if (refusal !== undefined) await judgeSignIn(engine, pool, user, id, judgement)
}

function signInIn({ id, value }: Credential): SignIn {
  return { ...(JSON.parse(value) as Omit<SignIn, 'id'>), id }
}
