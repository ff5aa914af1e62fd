import type { Access } from '@signalbox/platform-runtime/access'
import type { Context } from 'hono'
import { addressOf, type Env, tooMany, visitorWith } from './access.ts'
import { sessionCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'

/** Opens a session with the token of a link. Returns undefined for an unknown or used token. */
export async function enterWithLink(
  c: Context<Env>,
  open: Sessions,
  token: string,
): Promise<Response | undefined> {
  const secret = await open.openWith(token)
  return secret === undefined ? undefined : entered(c, secret)
}

/**
 * Opens a session with a key whose identity may read the console. Otherwise returns the reason for the refusal.
 */
export async function enterWithKey(
  c: Context<Env>,
  open: Sessions,
  access: Access | undefined,
  { id, secret }: { readonly id: string; readonly secret: string },
): Promise<Response> {
  if (access === undefined)
    return c.json({ error: 'The configuration has no keys. Open the link that signalbox printed.' }, 403)
  const found = access.signIn(id, secret, addressOf(c))
  if (found === 'throttled') return c.json(tooMany, 429)
  const visitor = found && visitorWith(found)
  const result = visitor === undefined ? 'no valid token' : visitor.may('read') ? 'allowed' : 'denied'
  access.log.add({
    ...{ identity: visitor?.name, source: 'console', operation: 'SignIn', resource: undefined },
    ...{ result, address: addressOf(c) },
  })
  if (visitor === undefined) return c.json({ error: 'The key does not exist, or its secret is wrong.' }, 403)
  if (result === 'denied')
    return c.json({ error: `${visitor.name} does not have the right read over the console.` }, 403)
  return entered(c, await open.openFor(id))
}

function entered(c: Context<Env>, secret: string): Response {
  sessionCookie(c.get('origin')).set(c, secret)
  return c.body(null, 204)
}

/** Ends the session of a request. */
export async function leave(c: Context<Env>, open: Sessions): Promise<void> {
  const secret = sessionCookie(c.get('origin')).delete(c)
  if (secret !== undefined) await open.end(secret)
}
