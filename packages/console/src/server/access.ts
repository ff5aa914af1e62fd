import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { HttpBindings } from '@hono/node-server'
import type { ConsoleContext } from '@signalbox/platform-runtime/console'
import type { Context, MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Sessions, Visitor } from './sessions.ts'

type Access = NonNullable<ConsoleContext['access']>

/** What handlers get from hono beside the request. */
export interface Env {
  readonly Bindings: HttpBindings
  readonly Variables: { readonly visitor: Visitor }
}

/** The header that requests which change something must have: pages of other origins cannot send it. */
const ownHeader = 'x-signalbox-console'

/** Headers of every answer. */
const safeHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** The policy of every answer unless it has its own: nothing runs, nothing is loaded, nothing frames it. */
const emptyPolicy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"

/** Adds the headers that keep untrusted content from running, and answers from being kept. */
export function safeAnswers(): MiddlewareHandler<Env> {
  return async (c, next) => {
    for (const [name, value] of Object.entries(safeHeaders)) c.header(name, value)
    c.header('content-security-policy', emptyPolicy)
    c.header('cache-control', 'no-store')
    await next()
  }
}

/**
 * Refuses requests that pages of other origins cause (CSRF). Browsers send cookies to every port of a host, so that
 * `SameSite` alone does not keep a page of another port away.
 */
export function ownPagesOnly(): MiddlewareHandler<Env> {
  return async (c, next) => {
    const changes = isChange(c)
    const origin = c.req.header('origin')
    const site = c.req.header('sec-fetch-site')
    const isOwn = origin === undefined || origin === originOf(c.env.incoming)
    // A browser says `none` when the user opens a page by its address.
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

/** Refuses requests without a visitor. */
export function visitorsOnly(open: Sessions, access: Access | undefined): MiddlewareHandler<Env> {
  return async (c, next) => {
    const visitor = visitorOf(c, open, access)
    if (visitor === 'throttled')
      return c.json({ error: 'Too many requests, or too many failed authentications. Try again later.' }, 429)
    if (visitor === undefined)
      return c.json({ error: 'There is no session. Open the link that signalbox dev printed.' }, 401)
    c.set('visitor', visitor)
    await next()
    return undefined
  }
}

/**
 * Who a request is from. Undefined for a request that may not see anything. Every way to get in is here: the session of
 * a link, whose visitor may do everything, and a bearer token, whose identity has rights over the console.
 */
function visitorOf(
  c: Context<Env>,
  open: Sessions,
  access: Access | undefined,
): Visitor | 'throttled' | undefined {
  const authorization = c.req.header('authorization')
  if (access !== undefined && authorization !== undefined) {
    const identity = access.bearer(authorization, c.env.incoming.socket.remoteAddress ?? '')
    if (identity === 'throttled') return identity
    if (identity?.may('console', isChange(c) ? 'act' : 'read', '*') !== true) return undefined
    return identity.admit(0) > 0 ? 'throttled' : { name: identity.name }
  }
  const secret = getCookie(c, cookieName(c.env.incoming))
  return secret === undefined ? undefined : open.visitor(secret)
}

function isChange({ req }: Context<Env>): boolean {
  return req.method !== 'GET' && req.method !== 'HEAD'
}

/** Opens a session with the token of a link, and sets its cookie. Returns whether the token was valid. */
export function enter(c: Context<Env>, open: Sessions, token: string): boolean {
  const secret = open.open(token)
  if (secret === undefined) return false
  setCookie(c, cookieName(c.env.incoming), secret, cookieOptions(c.env.incoming))
  return true
}

/** Ends the session of a request. */
export function leave(c: Context<Env>, open: Sessions): void {
  const secret = deleteCookie(c, cookieName(c.env.incoming), cookieOptions(c.env.incoming))
  if (secret !== undefined) open.end(secret)
}

function cookieOptions(incoming: IncomingMessage) {
  const common = { httpOnly: true, sameSite: 'Strict' } as const
  return isSecure(incoming) ? { ...common, secure: true, path: '/' } : { ...common, path: '/console' }
}

/** Cookies belong to a host with all its ports, so that the port is part of the name. */
function cookieName(incoming: IncomingMessage): string {
  const name = `signalbox-${incoming.socket.localPort}`
  return isSecure(incoming) ? `__Host-${name}` : name
}

function originOf(incoming: IncomingMessage): string {
  return `${isSecure(incoming) ? 'https' : 'http'}://${incoming.headers.host}`
}

function isSecure({ socket }: IncomingMessage): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true
}
