import { isSame } from '@signalbox/platform-runtime/secrets'
import type { Engine } from '../engine.ts'
import type { ClientCaller } from '../flows/engine-context.ts'
import type { AuthorizationRequest } from '../oidc/authorization-request.ts'
import { policySource } from '../oidc/redirect-address.ts'
import type { WebAnswer, WebRequest } from '../oidc/web.ts'
import { type Html, html } from './html.ts'
import { type Page, pageAnswer, pageHeaders } from './page.ts'

/** A browser at a hosted page, during an authorization request. */
export interface Visit {
  readonly engine: Engine
  readonly caller: ClientCaller
  readonly request: AuthorizationRequest
  /** The parameters of the authorization request, which every page repeats. */
  readonly query: string
  /** The sent form. Empty for a request for a page. */
  readonly form: URLSearchParams
  readonly browser: Browser
}

/** The cookie that a browser sent, or gets. */
export interface Browser {
  readonly cookie: string
  readonly isNew: boolean
}

/** The name of the cookie. With the prefix `__Host-`, no other host can set it. */
function cookieName({ issuer }: Pick<Engine, 'issuer'>, { pool }: Pick<ClientCaller, 'pool'>): string {
  const name = `signin-${pool.id}`
  return issuer(pool).startsWith('https:') ? `__Host-${name}` : name
}

/** The value of the cookie that a browser sent. */
export function cookieOf(
  engine: Pick<Engine, 'issuer'>,
  caller: Pick<ClientCaller, 'pool'>,
  { cookies }: Pick<WebRequest, 'cookies'>,
): string | undefined {
  const name = cookieName(engine, caller)
  for (const each of (cookies ?? '').split('; ')) {
    const [, value] = /^([^=]+)=([\w-]{43})$/.exec(each)?.[1] === name ? each.split('=') : []
    if (value !== undefined) return value
  }
  return undefined
}

/** The header that sets the cookie, or removes it without a value. */
export function cookieHeader(
  engine: Pick<Engine, 'issuer'>,
  caller: Pick<ClientCaller, 'pool'>,
  value: string | undefined,
): string {
  const secure = engine.issuer(caller.pool).startsWith('https:') ? '; Secure' : ''
  const ends = value === undefined ? '; Max-Age=0' : ''
  return `${cookieName(engine, caller)}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure}${ends}`
}

/**
 * The browser of a request. A browser without a cookie gets one, which distinguishes its forms from those of other
 * sites.
 */
export function browserOf(engine: Engine, caller: ClientCaller, request: WebRequest): Browser {
  const cookie = cookieOf(engine, caller, request)
  return cookie === undefined ? { cookie: newCookie(engine), isNew: true } : { cookie, isNew: false }
}

function newCookie({ random }: Pick<Engine, 'random'>): string {
  return Buffer.from(random(32)).toString('base64url')
}

const tokenField = '_token'

/** The anti-CSRF token of forms: it belongs to the cookie, which other sites cannot read or send along. */
function formToken({ engine, caller, browser }: Visit): string {
  return engine.vault.digest(browser.cookie, `forms of ${caller.pool.id}`)
}

/** Whether a form was sent from a hosted page. */
export function isOwnForm(visit: Visit, { fetchSite }: Pick<WebRequest, 'fetchSite'>): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return false
  return !visit.browser.isNew && isSame(visit.form.get(tokenField) ?? '', formToken(visit))
}

/** The address of another page of the same visit, or of a form. */
export function pageAddress({ query }: Visit, page: string): string {
  return `${page}?${query}`
}

/** A form that is sent to a hosted page. */
export function formTo(visit: Visit, page: string, contents: Html): Html {
  return html`<form method="post" action="${pageAddress(visit, page)}">
<input type="hidden" name="${tokenField}" value="${formToken(visit)}">
${contents}
</form>`
}

/** Answers with a page. */
export function show(visit: Visit, page: Omit<Page, 'formTarget'>): WebAnswer {
  const { engine, caller, request, browser } = visit
  const { headers, ...answer } = pageAnswer({ ...page, formTarget: policySource(request.redirectUri) })
  return {
    ...answer,
    headers: {
      ...headers,
      ...(browser.isNew && { 'set-cookie': cookieHeader(engine, caller, browser.cookie) }),
    },
  }
}

/** Sends the browser to another address. */
export function goTo(location: string, cookie?: string): WebAnswer {
  return {
    status: 303,
    headers: { location, ...pageHeaders, ...(cookie !== undefined && { 'set-cookie': cookie }) },
    body: '',
  }
}
