import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import { refusalOf } from '../flows/sign-in/complete-sign-in.ts'
import { browserSessionId, untrackedLife } from '../flows/sign-in/new-browser-session.ts'
import type { StoredUser, User } from '../store/user-pool-store.ts'

/** A browser in which a user is signed in. */
export interface BrowserSession {
  /** The id of the session in the store. */
  readonly id: string
  readonly user: StoredUser
  /** The time in milliseconds since the epoch. */
  readonly authTime: number
}

/**
 * Returns the browser session for a cookie. Returns undefined if the session has ended, or if its user is no longer
 * allowed to sign in.
 * @param longest how many milliseconds ago, or ahead, the sign-in can have been
 */
export async function browserSessionOf(
  engine: Pick<EngineContext, 'vault' | 'clock' | 'store'>,
  pool: PoolSettings,
  handle: string | undefined,
  longest = untrackedLife,
): Promise<BrowserSession | undefined> {
  if (handle === undefined) return undefined
  const now = engine.clock.now()
  const id = browserSessionId(engine, pool, handle)
  const found = await engine.store.credential(pool.id, 'session', id, now)
  const user = found && (await engine.store.user(pool.id, found.user))
  if (found === undefined || user === undefined || !mayContinue(user, now)) return undefined
  const { authTime } = JSON.parse(found.value) as { authTime: number }
  // A time far ahead is from a clock that was set back since.
  return Math.abs(now - authTime) < longest ? { id, user, authTime } : undefined
}

/** Returns whether a signed-in user may stay signed in. */
export function mayContinue(user: User, now: number): boolean {
  return user.status !== 'FORCE_CHANGE_PASSWORD' && refusalOf(user, now) === undefined
}

/** Signs the browser out. */
export async function endBrowserSession(
  engine: Pick<EngineContext, 'vault' | 'clock' | 'store'>,
  pool: PoolSettings,
  handle: string,
): Promise<void> {
  const id = browserSessionId(engine, pool, handle)
  await engine.store.change({ pool: pool.id, now: engine.clock.now(), ends: [{ kind: 'session', id }] })
}
