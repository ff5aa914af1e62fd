import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import type { Credential, User } from '../../store/user-pool-store.ts'

/** A new browser session, as the cookie's value and in its stored form. */
export interface NewBrowserSession {
  readonly handle: string
  readonly user: Pick<User, 'id'>
  readonly authTime: number
  readonly credential: Credential
}

/** How many milliseconds a browser stays signed in. Cognito uses the same time. */
const life = 3_600_000

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
  pool: PoolSettings,
  user: Pick<User, 'id'>,
): NewBrowserSession {
  const handle = Buffer.from(engine.random(32)).toString('base64url')
  const authTime = engine.clock.now()
  return {
    handle,
    user,
    authTime,
    credential: {
      // The kind is `session`, so that the change that ends all sessions of an account also ends its browser
      // sessions.
      kind: 'session',
      id: browserSessionId(engine, pool, handle),
      user: user.id,
      expires: authTime + life,
      value: JSON.stringify({ authTime }),
    },
  }
}
