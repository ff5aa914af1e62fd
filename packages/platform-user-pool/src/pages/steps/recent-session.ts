import { type BrowserSession, browserSessionOf } from '../../oidc/browser-sessions.ts'
import type { Visit } from '../visit.ts'

/**
 * How many milliseconds after a sign-in a user can change how the account is reached. If a browser stays signed in longer,
 * someone else could use it.
 */
const recent = 15 * 60_000

/** Returns the session of the browser if its user has signed in recently. */
export async function recentSession({ engine, caller, browser }: Visit): Promise<BrowserSession | undefined> {
  if (browser.isNew) return undefined
  const session = await browserSessionOf(engine, caller.pool, browser.cookie)
  const isRecent = session !== undefined && Math.abs(engine.clock.now() - session.authTime) < recent
  return isRecent ? session : undefined
}
