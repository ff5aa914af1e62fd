import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../../context/engine-context.ts'
import type { Credential, User } from '../../store/user-pool-store.ts'
import { browserSessionValue } from './tracked-sessions.ts'

/** A new browser session, as the cookie's value and in its stored form. */
export interface NewBrowserSession {
  readonly handle: string
  /** The id of the session in the store. */
  readonly id: string
  readonly user: Pick<User, 'id'>
  readonly authTime: number
  readonly credential: Credential
}

/** How many milliseconds a browser stays signed in if the pool does not track sessions. Cognito uses the same time. */
export const untrackedLife = 3_600_000

/** Returns how many milliseconds a browser can stay signed in, which is the time of the most patient client. */
export function browserLife({ sessions, clients }: PoolSettings): number {
  return Math.max(untrackedLife, ...(sessions === undefined ? [] : clients.map(({ reuse }) => reuse)))
}

/** Returns the id of a cookie's session in the store. */
export function browserSessionId(
  { vault }: Pick<EngineContext, 'vault'>,
  pool: PoolSettings,
  handle: string,
): string {
  return vault.digest(handle, `browser session ${pool.id}`)
}

export function newBrowserSession(
  engine: Pick<EngineContext, 'vault' | 'clock' | 'random'>,
  caller: ClientCaller,
  user: Pick<User, 'id'>,
): NewBrowserSession {
  const { pool } = caller
  const handle = Buffer.from(engine.random(32)).toString('base64url')
  const authTime = engine.clock.now()
  const id = browserSessionId(engine, pool, handle)
  return {
    handle,
    id,
    user,
    authTime,
    credential: {
      // The kind is `session`, so that the change that ends all sessions of an account also ends its browser
      // sessions.
      kind: 'session',
      id,
      user: user.id,
      expires: authTime + browserLife(pool),
      value: browserSessionValue(caller, authTime),
    },
  }
}
