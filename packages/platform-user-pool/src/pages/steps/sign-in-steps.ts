import { forgotPassword } from '../../flows/accounts/forgotten-password.ts'
import { answerCode, answerFactorChoice, answerSetup } from '../../flows/factors/answer-factors.ts'
import { browserDevice, recordBrowser, rememberBrowser } from '../../flows/factors/browser-devices.ts'
import type { FoundDevice } from '../../flows/factors/devices.ts'
import { associateTokenInSession, verifyTokenInSession } from '../../flows/factors/software-token.ts'
import { credentialIn } from '../../flows/factors/web-authn.ts'
import { deliveryDetails } from '../../flows/messages/destinations.ts'
import { beginChoice } from '../../flows/sign-in/choice-sign-in.ts'
import { answerCustom, beginCustom, hasCustomAuth } from '../../flows/sign-in/custom-auth.ts'
import { answerNewPassword } from '../../flows/sign-in/new-password.ts'
import { answerPasskey } from '../../flows/sign-in/passkey-sign-in.ts'
import { signInByPassword } from '../../flows/sign-in/password-sign-in.ts'
import type { SignInResult } from '../../flows/sign-in/sign-in-result.ts'
import { subjectOf } from '../../flows/sign-in/subject.ts'
import { signedInAddress } from '../../oidc/authorize.ts'
import { endBrowserSession } from '../../oidc/browser-sessions.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import type { UserPoolErrorType } from '../../user-pool-error.ts'
import { invalidParameter, readAttributes } from '../../users/attributes.ts'
import {
  type Challenge,
  canRemember,
  carriedChallenge,
  challengeView,
  rememberField,
} from '../views/challenge-views.ts'
import { confirmationView } from '../views/confirmation-view.ts'
import { resetPasswordView } from '../views/password-views.ts'
import { signInView } from '../views/sign-in-view.ts'
import { cookieHeader, deviceCookieHeader, goTo, nextAddress, pageAddress, type Visit } from '../visit.ts'
import { refusalOf } from './refusal.ts'

const passkeyChoice = { challenge: 'WEB_AUTHN', password: undefined, A: undefined, device: undefined }

async function begun(
  { engine, caller, form }: Visit,
  username: string,
  device: FoundDevice | undefined,
): Promise<SignInResult> {
  switch (form.get('by')) {
    case 'passkey':
      return beginChoice(engine, caller, username, passkeyChoice, {})
    case 'custom': {
      if (!hasCustomAuth(caller)) throw invalidParameter('This way to sign in is not possible on this page.')
      const subject = await subjectOf(engine, caller, username)
      return beginCustom(engine, caller, subject, username, [], undefined)
    }
    default: {
      const progress = device && { device: device.device.key, isDeviceProved: true }
      return signInByPassword(engine, caller, username, form.get('password') ?? '', {}, progress)
    }
  }
}

/** Signs a user in by name and password, or starts a sign-in by a passkey or custom challenges. */
export async function signIn(visit: Visit): Promise<WebAnswer> {
  const username = visit.form.get('username') ?? ''
  try {
    const { engine, caller, browser } = visit
    const device = await browserDevice(engine, caller.pool, browser.device, username)
    const result = await engine.countSignIn(caller.pool, () => begun(visit, username, device))
    if (device !== undefined && 'browser' in result) await recordBrowser(engine, caller.pool, device)
    if ('challenge' in result && result.challenge === 'SELECT_CHALLENGE')
      return signInView(visit, { username, wrong: 'This account has no passkey that can be used here.' })
    return await goOn(visit, result)
  } catch (error) {
    const { type, message } = refusalOf(error)
    if (type === 'UserNotConfirmedException')
      return confirmationView(visit, { username, notice: 'Enter the code that was sent when you signed up.' })
    if (type === 'PasswordResetRequiredException') return resetRequired(visit, username)
    return signInView(visit, { username, wrong: message })
  }
}

async function resetRequired(visit: Visit, username: string): Promise<WebAnswer> {
  try {
    const destination = deliveryDetails(await forgotPassword(visit.engine, visit.caller, username, {}))
    const notice = `You need a new password. A code was sent to ${destination.Destination}.`
    return resetPasswordView(visit, { username, notice })
  } catch (error) {
    return signInView(visit, { username, wrong: refusalOf(error).message })
  }
}

/** The errors after which a client can answer the same challenge again. */
const repeatable: readonly UserPoolErrorType[] = [
  'CodeMismatchException',
  'EnableSoftwareTokenMFAException',
  'ExpiredCodeException',
  'InvalidParameterException',
  'InvalidPasswordException',
  'LimitExceededException',
]

/** Handles the answer to a challenge. */
export async function answerChallenge(visit: Visit): Promise<WebAnswer> {
  const asked = carriedChallenge(visit)
  try {
    const { engine, caller } = visit
    const result = await engine.countSignIn(caller.pool, () => answered(visit, asked))
    return await goOn(visit, result, remembers(visit, asked))
  } catch (error) {
    const { type, message } = refusalOf(error)
    const again = repeatable.includes(type) ? challengeView(visit, { ...asked, wrong: message }) : undefined
    return again ?? signInView(visit, { wrong: message })
  }
}

/** Returns whether the pool remembers a browser after its user has proved a second factor. */
function remembers({ caller, form }: Visit, { challenge }: Challenge): boolean {
  if (!canRemember(caller, challenge)) return false
  return caller.pool.devices.remember === 'always' || form.get(rememberField) === 'on'
}

async function answered(visit: Visit, { challenge, session, details }: Challenge): Promise<SignInResult> {
  const { engine, caller, form } = visit
  const code = (form.get('code') ?? '').replaceAll(/\s/g, '')
  switch (challenge) {
    case 'SELECT_MFA_TYPE':
      return answerFactorChoice(engine, caller, session, form.get('answer') ?? '', {})
    case 'MFA_SETUP': {
      const verified = await verifyTokenInSession(engine, caller, session, code, undefined)
      return answerSetup(engine, caller, verified, {})
    }
    case 'CUSTOM_CHALLENGE':
      return answerCustom(engine, caller, session, form.get('answer') ?? '', {})
    case 'WEB_AUTHN':
      return answerPasskey(engine, caller, session, credentialIn(form.get('credential') ?? ''), undefined, {})
    case 'NEW_PASSWORD_REQUIRED': {
      const entered = details.map(Name => ({ Name, Value: form.get(Name) ?? '' }))
      const attributes = readAttributes(caller.pool, entered, false)
      return answerNewPassword(engine, caller, session, form.get('new_password') ?? '', attributes, {})
    }
    default:
      return answerCode(engine, caller, challenge as 'SOFTWARE_TOKEN_MFA', session, code, undefined, {})
  }
}

/**
 * Continues after a sign-in step. Redirects to the client, or shows the next challenge.
 * @param isRemembered whether the pool remembers the browser, so that its next sign-in needs no second factor
 */
async function goOn(visit: Visit, result: SignInResult, isRemembered = false): Promise<WebAnswer> {
  const { engine, caller, request, browser } = visit
  if ('browser' in result) {
    const address =
      nextAddress(visit) ??
      (await signedInAddress(engine, caller, request, result.browser, pageAddress(visit, 'consent')))
    // The browser's old session ends here, because it may belong to a different user.
    await endBrowserSession(engine, caller.pool, browser.cookie)
    const device = isRemembered
      ? deviceCookieHeader(engine, caller, await rememberBrowser(engine, caller.pool, result.browser.user))
      : undefined
    return goTo(address, cookieHeader(engine, caller, result.browser.handle), device)
  }
  const asked = 'tokens' in result ? undefined : await challengeOf(visit, result)
  const view = asked && challengeView(visit, asked)
  return view ?? signInView(visit, { wrong: 'This way to sign in is not possible on this page.' })
}

async function challengeOf(
  { engine, caller }: Visit,
  { challenge, parameters, session = '' }: Extract<SignInResult, { readonly challenge: string }>,
): Promise<Challenge> {
  const { CREDENTIAL_REQUEST_OPTIONS, MFAS_CAN_CHOOSE, CODE_DELIVERY_DESTINATION, requiredAttributes } =
    parameters
  switch (challenge) {
    case 'MFA_SETUP': {
      const associated = await associateTokenInSession(engine, caller, session)
      return { challenge, session: associated.session, details: [associated.secret] }
    }
    case 'WEB_AUTHN': {
      const options = Buffer.from(CREDENTIAL_REQUEST_OPTIONS ?? '{}').toString('base64')
      return { challenge, session, details: [options] }
    }
    case 'CUSTOM_CHALLENGE': {
      const { USERNAME: _, ...publicParameters } = parameters
      return {
        challenge,
        session,
        details: [Buffer.from(JSON.stringify(publicParameters)).toString('base64')],
      }
    }
    case 'SELECT_MFA_TYPE':
      return { challenge, session, details: JSON.parse(MFAS_CAN_CHOOSE ?? '[]') }
    case 'NEW_PASSWORD_REQUIRED': {
      const missing = JSON.parse(requiredAttributes ?? '[]') as string[]
      return { challenge, session, details: missing.map(name => name.replace(/^userAttributes\./, '')) }
    }
    default:
      return { challenge, session, details: CODE_DELIVERY_DESTINATION ? [CODE_DELIVERY_DESTINATION] : [] }
  }
}
