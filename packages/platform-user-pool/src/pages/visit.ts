import { isSame } from '@signalbox/platform-runtime/secrets'
import { policySource } from '../config/redirect-address.ts'
import type { ClientCaller } from '../context/engine-context.ts'
import type { Engine } from '../engine.ts'
import type { AuthorizationRequest } from '../oidc/authorization-request.ts'
import type { WebAnswer, WebRequest } from '../oidc/web.ts'
import { type Html, html } from './html.ts'
import { type Page, pageAnswer, pageHeaders } from './page.ts'

/** A browser's visit to a hosted page during an authorization request. */
export interface Visit {
  readonly engine: Engine
  readonly caller: ClientCaller
  readonly request: AuthorizationRequest
  /** The parameters of the authorization request, which each page passes on. */
  readonly query: string
  /** The submitted form. Empty if the browser only requests the page. */
  readonly form: URLSearchParams
  readonly browser: Browser
}

/** The cookies that a browser has sent or is going to get. */
export interface Browser {
  readonly cookie: string
  /** The cookie that stays after a sign-out. Undefined if the pool does not remember the browser. */
  readonly device?: string | undefined
  readonly isNew: boolean
}

type CookieKind = 'signin' | 'device' | 'connect'

/** Returns the name of a cookie. With the prefix `__Host-`, no other host can set it. */
function cookieName(
  { issuer }: Pick<Engine, 'issuer'>,
  { pool }: Pick<ClientCaller, 'pool'>,
  kind: CookieKind,
): string {
  const name = `${kind}-${pool.id}`
  return issuer(pool).startsWith('https:') ? `__Host-${name}` : name
}

/** Returns the value of a cookie from the browser. */
export function cookieOf(
  engine: Pick<Engine, 'issuer'>,
  caller: Pick<ClientCaller, 'pool'>,
  { cookies }: Pick<WebRequest, 'cookies'>,
  kind: CookieKind = 'signin',
): string | undefined {
  const name = cookieName(engine, caller, kind)
  const form = kind === 'device' ? /^[\w.-]{1,200}$/ : /^[\w-]{43}$/
  for (const each of (cookies ?? '').split('; ')) {
    const [found, value = ''] = each.split('=')
    if (found === name && form.test(value)) return value
  }
  return undefined
}

/**
 * Returns the header that sets the cookie of a browser session. Without a value, the header removes the
 * cookie.
 */
export function cookieHeader(
  engine: Pick<Engine, 'issuer'>,
  caller: Pick<ClientCaller, 'pool'>,
  value: string | undefined,
  kind: CookieKind = 'signin',
): string {
  const secure = engine.issuer(caller.pool).startsWith('https:') ? '; Secure' : ''
  const ends = value === undefined ? '; Max-Age=0' : ''
  return `${cookieName(engine, caller, kind)}=${value ?? ''}; Path=/; HttpOnly; SameSite=Lax${secure}${ends}`
}

/** The longest time that browsers keep a cookie: 400 days, in seconds. */
const deviceCookieLife = 34_560_000

/** Returns the header that sets the cookie of a remembered browser. */
export function deviceCookieHeader(
  engine: Pick<Engine, 'issuer'>,
  caller: Pick<ClientCaller, 'pool'>,
  value: string,
): string {
  const secure = engine.issuer(caller.pool).startsWith('https:') ? '; Secure' : ''
  const name = cookieName(engine, caller, 'device')
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}; Max-Age=${deviceCookieLife}`
}

/**
 * Returns the browser of a request. A browser without a cookie gets a new one, so that its forms can be distinguished
 * from those of other sites.
 */
export function browserOf(engine: Engine, caller: ClientCaller, request: WebRequest): Browser {
  const cookie = cookieOf(engine, caller, request)
  const device = cookieOf(engine, caller, request, 'device')
  return cookie === undefined
    ? { cookie: newCookie(engine), device, isNew: true }
    : { cookie, device, isNew: false }
}

/** Returns the value of a new cookie. */
export function newCookie({ random }: Pick<Engine, 'random'>): string {
  return Buffer.from(random(32)).toString('base64url')
}

const tokenField = '_token'

/**
 * Returns the anti-CSRF token of forms. It is derived from the cookie, which other sites can neither read nor send
 * along.
 */
function formToken(
  { vault }: Pick<Engine, 'vault'>,
  { pool }: Pick<ClientCaller, 'pool'>,
  cookie: string,
): string {
  return vault.digest(cookie, `forms of ${pool.id}`)
}

/** Returns the hidden field with the token of a form. */
export function formTokenField(
  engine: Pick<Engine, 'vault'>,
  caller: Pick<ClientCaller, 'pool'>,
  cookie: string,
): Html {
  return html`<input type="hidden" name="${tokenField}" value="${formToken(engine, caller, cookie)}">`
}

/**
 * Returns whether a form was sent from a hosted page.
 * @param cookie the cookie that the browser has sent
 */
export function isOwnForm(
  engine: Pick<Engine, 'vault'>,
  caller: Pick<ClientCaller, 'pool'>,
  { fetchSite, form }: Pick<WebRequest, 'fetchSite' | 'form'>,
  cookie: string | undefined,
): boolean {
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none') return false
  return cookie !== undefined && isSame(form?.get(tokenField) ?? '', formToken(engine, caller, cookie))
}

/** Returns the address of a hosted page in the same visit. */
export function pageAddress({ query }: Visit, page: string): string {
  return `${page}?${query}`
}

const nextField = 'next'
/** The pages to which a sign-in can lead instead of the client. */
const nextPages = ['passkeys', 'account']

/** Returns the parameters of a visit whose sign-in leads to a hosted page. */
export function withNext(query: string, page: string): string {
  const parameters = new URLSearchParams(query)
  parameters.set(nextField, page)
  return String(parameters)
}

/** Returns the address of the hosted page that the sign-in leads to, or undefined if it leads to the client. */
export function nextAddress({ query }: Pick<Visit, 'query'>): string | undefined {
  const parameters = new URLSearchParams(query)
  const page = nextPages.find(each => each === parameters.get(nextField))
  parameters.delete(nextField)
  return page && `${page}?${parameters}`
}

/** Returns a form that the browser sends to a hosted page. */
export function formTo(visit: Visit, page: string, contents: Html): Html {
  return html`<form method="post" action="${pageAddress(visit, page)}">
${formTokenField(visit.engine, visit.caller, visit.browser.cookie)}
${contents}
</form>`
}

/** Returns the response that shows a page. */
export function show(visit: Visit, page: Omit<Page, 'formTarget' | 'look'>): WebAnswer {
  const { engine, caller, request, browser } = visit
  const formTarget = request.device === undefined ? policySource(request.redirectUri) : undefined
  const { headers, ...answer } = pageAnswer({
    ...page,
    formTarget,
    look: caller.client.pages ?? caller.pool.pages,
  })
  return {
    ...answer,
    headers: {
      ...headers,
      ...(browser.isNew && { 'set-cookie': cookieHeader(engine, caller, browser.cookie) }),
    },
  }
}

/**
 * Redirects the browser to an address.
 * @param cookies headers that set cookies
 */
export function goTo(location: string, ...cookies: readonly (string | undefined)[]): WebAnswer {
  const sent = cookies.filter(each => each !== undefined)
  return {
    status: 303,
    headers: { location, ...pageHeaders, ...(sent.length > 0 && { 'set-cookie': sent }) },
    body: '',
  }
}
