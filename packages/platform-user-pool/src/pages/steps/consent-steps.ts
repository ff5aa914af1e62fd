import { isSame } from '@signalbox/platform-runtime/secrets'
import { consent } from '../../agents/consents.ts'
import { codeAddress, sessionFor, wantsSignIn } from '../../oidc/authorize.ts'
import type { BrowserSession } from '../../oidc/browser-sessions.ts'
import { answerDevice } from '../../oidc/device-authorization.ts'
import { OAuthError } from '../../oidc/oauth-error.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import { consentView, deviceDoneView, shownField } from '../views/consent-view.ts'
import { goTo, pageAddress, type Visit } from '../visit.ts'

/** How many milliseconds a user who had to sign in again has for the consent. */
const recent = 10 * 60_000

/** Shows what a device asks for, or a client that nobody has configured. */
export async function showConsent(visit: Visit): Promise<WebAnswer> {
  const session = await sessionOf(visit)
  return session === undefined ? signInFirst(visit) : consentView(visit, session, shown(visit, session))
}

/**
 * Stores the consent of the signed-in user, and sends the browser to the client with a code.
 * @throws OAuthError when the user refuses
 */
export async function answerConsent(visit: Visit): Promise<WebAnswer> {
  const { engine, caller, request, form } = visit
  const session = await sessionOf(visit)
  if (session === undefined) return signInFirst(visit)
  const { redirectUri, state, device } = request
  if (form.get('answer') === 'refuse') {
    if (device === undefined)
      throw new OAuthError('access_denied', 'The user has refused.', { redirectUri, state })
    await answerDevice(engine, caller.pool, device, undefined)
    return deviceDoneView(visit, 'The device gets no access.')
  }
  const expected = shown(visit, session)
  // The client may have changed what it says about itself, or another user may have signed in, since the page was shown.
  if (form.get('answer') !== 'allow' || !isSame(form.get(shownField) ?? '', expected))
    return consentView(visit, session, expected, 'Something has changed. Please look again.')
  if (device !== undefined) {
    const isWaiting = await answerDevice(engine, caller.pool, device, session)
    return deviceDoneView(
      visit,
      isWaiting
        ? 'The device will be connected in some seconds. Stay signed in until it says so.'
        : 'The device does not wait any longer.',
    )
  }
  await consent(engine, caller, request, session)
  return goTo(await codeAddress(engine, caller, request, session))
}

/** Returns the session of a user who can consent. A request that wants a sign-in needs one that has just been. */
async function sessionOf({ engine, caller, request, browser }: Visit): Promise<BrowserSession | undefined> {
  if (browser.isNew || (caller.client.agent === undefined && request.device === undefined)) return undefined
  const session = await sessionFor(engine, caller, request, browser.cookie)
  if (session === undefined || !wantsSignIn(request)) return session
  return Math.abs(engine.clock.now() - session.authTime) < recent ? session : undefined
}

/** Returns a digest of what a page shows to a user, which the form has to repeat. */
function shown({ engine, caller, request }: Visit, session: BrowserSession): string {
  const { pool, client } = caller
  const { redirectUri, scopes, resource, device } = request
  const text = JSON.stringify([session.id, client.id, client.agent, redirectUri, scopes, resource, device])
  return engine.vault.digest(text, `consent page ${pool.id}`)
}

function signInFirst(visit: Visit): WebAnswer {
  return goTo(pageAddress(visit, 'login'))
}
