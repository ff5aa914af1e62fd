import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { HttpBindings } from '@hono/node-server'
import { type Access, type Identity, operatorName } from '@signalbox/platform-runtime/access'
import type { Context, MiddlewareHandler } from 'hono'
import { sessionCookie } from './session-cookie.ts'
import type { Sessions } from './sessions.ts'

/** The variables that handlers read from the Hono context. */
export interface Env {
  readonly Bindings: HttpBindings
  readonly Variables: {
    /** The origin of the console's own pages, as seen by the browser that sent the request. */
    readonly origin: string
    readonly visitor: Visitor
  }
}

/** The header that every request to change something needs. Pages of other origins cannot send it. */
const ownHeader = 'x-signalbox-console'

/** The headers of every answer. */
const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** The default policy of answers. It allows no scripts, no frames and no loading of content. */
const emptyPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

/** Adds headers that prevent untrusted content from running and answers from being cached. */
export function safeAnswers(): MiddlewareHandler<Env> {
  return async (c, next) => {
    for (const [name, value] of Object.entries(safeHeaders)) c.header(name, value)
    c.header('content-security-policy', emptyPolicy)
    c.header('cache-control', 'no-store')
    await next()
  }
}

/**
 * Refuses requests from pages of other origins (CSRF). Browsers send cookies to every port of a host, so
 * `SameSite` alone does not stop a page of another port.
 * @param publicOrigin the origin at which browsers reach the console through a proxy
 */
export function ownPagesOnly(publicOrigin: string | undefined): MiddlewareHandler<Env> {
  return async (c, next) => {
    const own = originOf(c.env.incoming, publicOrigin)
    c.set('origin', own)
    const changes = isChange(c)
    const origin = c.req.header('origin')
    const site = c.req.header('sec-fetch-site')
    const isOwn = origin === undefined || origin === own
    // Browsers send `none` when the user enters the address manually.
    const isSameOrigin = site === undefined || site === 'same-origin' || (site === 'none' && !changes)
    if (!isOwn || !isSameOrigin)
      return c.json({ error: 'Only pages of the console may send requests to it.' }, 403)
    if (changes && c.req.header(ownHeader) === undefined)
      return c.json(
        { error: `The header ${ownHeader} is missing. Requests that change something need it.` },
        403,
      )
    await next()
    return undefined
  }
}

/** The visitor who sent a request. */
interface Visitor {
  readonly name: string
  /** Returns whether the visitor has this right in the console. */
  readonly may: (right: Right) => boolean
  /** Returns whether the visitor has reached the limits of its identity and has to wait. */
  readonly isLimited: () => boolean
}

/** The rights in the console: `read` lets a visitor see everything, and `act` lets a visitor change everything. */
type Right = 'read' | 'act'

/**
 * Refuses requests without authentication, and requests for which the visitor lacks the right. With access control, it
 * logs changes, refusals, and requests for personal data.
 * @param path the path of the API
 * @param isLogged returns whether the access log has the requests for a path below it
 */
export function visitorsOnly(
  path: string,
  isLogged: (below: string) => boolean,
  open: Sessions,
  access: Access | undefined,
): MiddlewareHandler<Env> {
  return async (c, next) => {
    const visitor = await visitorOf(c, open, access)
    if (visitor === 'throttled') return c.json(tooMany, 429)
    if (visitor === undefined) {
      if (c.req.header('authorization') !== undefined) log(c, access, path, undefined, 'no valid token')
      return c.json({ error: howToGetIn(access), takesKeys: access !== undefined }, 401)
    }
    const right: Right = isChange(c) ? 'act' : 'read'
    if (!visitor.may(right)) {
      log(c, access, path, visitor, 'denied')
      return c.json({ error: `${visitor.name} does not have the right ${right} over the console.` }, 403)
    }
    if (visitor.isLimited()) return c.json(tooMany, 429)
    if (right === 'act' || isLogged(c.req.path.slice(path.length))) log(c, access, path, visitor, 'allowed')
    c.set('visitor', visitor)
    await next()
    return undefined
  }
}

/**
 * Returns whether the visitor of a request that is still being answered may go on reading: the session has not ended, and
 * the key has not been revoked.
 */
export async function mayStillRead(
  c: Context<Env>,
  open: Sessions,
  access: Access | undefined,
): Promise<boolean> {
  const visitor = await visitorOf(c, open, access)
  return visitor !== undefined && visitor !== 'throttled' && visitor.may('read')
}

export const tooMany = { error: 'Too many requests, or too many failed authentications. Try again later.' }

function howToGetIn(access: Access | undefined): string {
  return access === undefined
    ? 'There is no session. Open the link that signalbox printed.'
    : 'There is no session. Sign in with a key that has rights over the console.'
}

function log(
  c: Context<Env>,
  access: Access | undefined,
  path: string,
  visitor: Visitor | undefined,
  result: string,
): void {
  access?.log.add({
    identity: visitor?.name,
    source: 'console',
    operation: c.req.method,
    resource: visitor && c.req.path.slice(path.length + 1),
    result,
    address: addressOf(c),
  })
}

/**
 * Returns the visitor who sent a request, or undefined if the client did not authenticate. There are three ways to
 * authenticate: the session of a link, which permits everything; the session of a key; and a bearer token.
 */
async function visitorOf(
  c: Context<Env>,
  open: Sessions,
  access: Access | undefined,
): Promise<Visitor | 'throttled' | undefined> {
  const authorization = c.req.header('authorization')
  if (access !== undefined && authorization !== undefined) {
    const identity = access.bearer(authorization, addressOf(c))
    return identity === 'throttled' ? identity : identity && visitorWith(identity)
  }
  const secret = sessionCookie(c.get('origin')).read(c)
  const session = secret === undefined ? undefined : await open.find(secret)
  if (session === undefined) return undefined
  if (session.keyId === undefined) return { name: operatorName, may: () => true, isLimited: () => false }
  // Revoking a key ends the sessions that began with it.
  const identity = access?.key(session.keyId)?.identity
  return identity && visitorWith(identity)
}

/** Returns the visitor with an identity of the platform. */
export function visitorWith({ name, may, admit }: Identity): Visitor {
  return { name, may: right => may('console', right, '*'), isLimited: () => admit(0) > 0 }
}

/** Returns the address of the client that sent a request. */
export function addressOf({ env }: Context<Env>): string {
  return env.incoming.socket.remoteAddress ?? ''
}

function isChange({ req }: Context<Env>): boolean {
  return req.method !== 'GET' && req.method !== 'HEAD'
}

/**
 * Returns the origin of the console. If the Host header names the public origin, the request came through a
 * proxy, and the result is the public origin. Otherwise, the result is made from the Host header.
 */
function originOf({ headers, socket }: IncomingMessage, publicOrigin: string | undefined): string {
  if (publicOrigin !== undefined && headers.host === new URL(publicOrigin).host) return publicOrigin
  const isEncrypted = (socket as Partial<TLSSocket>).encrypted === true
  return `${isEncrypted ? 'https' : 'http'}://${headers.host}`
}
