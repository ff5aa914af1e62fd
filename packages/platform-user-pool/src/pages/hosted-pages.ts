import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { Engine } from '../engine.ts'
import { completeProviderSignIn, providerAddress } from '../federation/provider-sign-in.ts'
import { readAuthorizationRequest } from '../oidc/authorization-request.ts'
import { authorizedAddress, errorRedirectUri, signedInAddress } from '../oidc/authorize.ts'
import { endBrowserSession } from '../oidc/browser-sessions.ts'
import { logoutTarget } from '../oidc/logout.ts'
import { OAuthError } from '../oidc/oauth-error.ts'
import type { WebAnswer, WebRequest } from '../oidc/web.ts'
import { html } from './html.ts'
import { pageAnswer } from './page.ts'
import { changeAccount, showAccount } from './steps/account-steps.ts'
import { answerConsent, showConsent } from './steps/consent-steps.ts'
import { devicePage } from './steps/device-steps.ts'
import { changePasskeys, showPasskeys } from './steps/passkey-steps.ts'
import { askForReset, resetPassword } from './steps/password-steps.ts'
import { answerChallenge, signIn } from './steps/sign-in-steps.ts'
import { confirmUser, resend, signUp } from './steps/sign-up-steps.ts'
import { forgottenPasswordView } from './views/password-views.ts'
import { signInView } from './views/sign-in-view.ts'
import { signUpView } from './views/sign-up-view.ts'
import { browserOf, cookieHeader, cookieOf, goTo, isOwnForm, nextAddress, type Visit } from './visit.ts'

type Step = (visit: Visit) => Promise<WebAnswer> | WebAnswer

/** The views of the pages and the handlers of their forms, by path. */
const pages: { readonly [path: string]: { readonly GET?: Step; readonly POST: Step } } = {
  '/login': { GET: visit => signInView(visit), POST: signIn },
  '/signup': { GET: visit => signUpView(visit), POST: signUp },
  '/confirmUser': { POST: confirmUser },
  '/resendCode': { POST: resend },
  '/forgotPassword': { GET: visit => forgottenPasswordView(visit), POST: askForReset },
  '/confirmForgotPassword': { POST: resetPassword },
  '/challenge': { POST: answerChallenge },
  '/consent': { GET: showConsent, POST: answerConsent },
  '/passkeys': { GET: showPasskeys, POST: changePasskeys },
  '/account': { GET: showAccount, POST: changeAccount },
}

/**
 * Returns the response of a hosted page, `/oauth2/authorize` or `/logout`. Returns undefined for any other path. Errors
 * go to the client if the redirect URI belongs to it, and otherwise to the user.
 */
export async function hostedPage(
  engine: Engine,
  pool: PoolSettings,
  request: WebRequest,
): Promise<WebAnswer | undefined> {
  const page = Object.hasOwn(pages, request.path) ? pages[request.path] : undefined
  try {
    if (request.path === '/oauth2/authorize') return await authorize(engine, pool, request)
    if (request.path === '/oauth2/idpresponse') return await comeBack(engine, pool, request)
    if (request.path === '/device') return await devicePage(engine, pool, request)
    if (request.path === '/logout') return await logOut(engine, pool, request)
    return page && (await visitPage(engine, pool, request, page))
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    const address = errorRedirectUri(engine, { pool }, error)
    return address === undefined ? problemPage(pool, error.message) : goTo(address)
  }
}

/**
 * Answers an authorization request. Its parameters can also be sent as a form (OpenID Connect Core, 3.1.2.1). A HEAD request
 * leads to the page for signing in, because a code and a sign-in at a provider would be stored.
 */
async function authorize(engine: Engine, pool: PoolSettings, web: WebRequest): Promise<WebAnswer> {
  const parameters = web.form ?? web.query
  const request = await readAuthorizationRequest(engine, pool, parameters, originOf(engine, pool, web))
  const caller = { pool, client: request.client, sdk: web.sdk, address: web.address, isHosted: true }
  const provider = pool.identityProviders.find(({ name }) => name === request.provider)
  if (web.isHead) return goTo(`../login?${parameters}`)
  if (provider !== undefined && !request.prompt.includes('none')) {
    const { cookie, isNew } = browserOf(engine, caller, web)
    const address = await providerAddress(engine, caller, provider, request, String(parameters), cookie)
    return goTo(address, isNew ? cookieHeader(engine, caller, cookie) : undefined)
  }
  const address = await authorizedAddress(
    engine,
    caller,
    request,
    cookieOf(engine, caller, web),
    `../consent?${parameters}`,
  )
  return goTo(address ?? `../login?${parameters}`)
}

/** Returns where a request comes from. */
function originOf(engine: Engine, pool: PoolSettings, web: WebRequest) {
  return { address: web.address, connecting: cookieOf(engine, { pool }, web, 'connect') }
}

/** Serves a browser that comes back from an external identity provider. */
async function comeBack(engine: Engine, pool: PoolSettings, web: WebRequest): Promise<WebAnswer> {
  if (web.isHead) throw new OAuthError('invalid_request', 'A sign-in cannot end by a HEAD request.')
  const cookie = cookieOf(engine, { pool }, web)
  const returned = await completeProviderSignIn(engine, pool, web.query, cookie, {
    ...originOf(engine, pool, web),
    sdk: web.sdk,
  })
  const { caller, request, session, query } = returned
  const next = nextAddress({ query })
  const address =
    next === undefined
      ? await signedInAddress(engine, caller, request, session, `../consent?${query}`)
      : `../${next}`
  await endBrowserSession(engine, pool, cookie!)
  return goTo(address, cookieHeader(engine, caller, session.handle))
}

/**
 * Ends the browser's session, and then looks where the request leads. A request that leads nowhere has ended the session,
 * too, and its page says so: its user wanted to sign out (OpenID Connect RP-Initiated Logout, 2 and 3).
 */
async function logOut(engine: Engine, pool: PoolSettings, web: WebRequest): Promise<WebAnswer> {
  const parameters = web.form ?? web.query
  const cookie = web.isHead ? undefined : cookieOf(engine, { pool }, web)
  if (cookie !== undefined) await endBrowserSession(engine, pool, cookie)
  // A HEAD request, which a program sends to look at an address, leaves the browser its cookie, too.
  const removed = web.isHead ? undefined : cookieHeader(engine, { pool }, undefined)
  try {
    const target = await logoutTarget(engine, pool, parameters)
    if ('address' in target) return goTo(target.address, removed)
    if (target.shows === 'sign-in') return goTo(`login?${parameters}`, removed)
    return signedOutPage(pool, removed)
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return signedOutPage(pool, removed, error.message)
  }
}

async function visitPage(
  engine: Engine,
  pool: PoolSettings,
  web: WebRequest,
  page: { readonly GET?: Step; readonly POST: Step },
): Promise<WebAnswer> {
  const request = await readAuthorizationRequest(engine, pool, web.query, originOf(engine, pool, web))
  const caller = { pool, client: request.client, sdk: web.sdk, address: web.address, isHosted: true }
  const visit: Visit = {
    engine,
    caller,
    request,
    query: String(web.query),
    form: web.form ?? new URLSearchParams(),
    browser: browserOf(engine, caller, web),
  }
  if (web.method === 'GET') return page.GET === undefined ? goTo(`login?${visit.query}`) : page.GET(visit)
  if (isOwnForm(engine, caller, web, visit.browser.isNew ? undefined : visit.browser.cookie))
    return page.POST(visit)
  return signInView(visit, { wrong: 'The page was open for too long, or cookies are off. Please try again.' })
}

/**
 * Returns the page for a user who has signed out.
 * @param wrong why the browser does not go on to the address in the request
 */
function signedOutPage(
  { pages: look }: PoolSettings,
  removed: string | undefined,
  wrong?: string,
): WebAnswer {
  const page = pageAnswer({
    look,
    title: 'You are signed out',
    wrong,
    body:
      wrong === undefined
        ? html`<p>You can close this page.</p>`
        : html`<p>Your session here has ended. This page cannot lead you back to the program that sent you here.</p>`,
  })
  return removed === undefined ? page : { ...page, headers: { ...page.headers, 'set-cookie': removed } }
}

/** Returns the page for an error that must not be sent to a client. */
function problemPage({ pages: look }: PoolSettings, message: string): WebAnswer {
  return pageAnswer({
    look,
    title: 'This does not work',
    wrong: message,
    body: html`<p>Go back to the program that sent you here. Its developers can read above what is wrong.</p>`,
  })
}
