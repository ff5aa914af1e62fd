import { confirmSignUp, signUp as createAccount, resendCode } from '../../flows/accounts/sign-up.ts'
import { deliveryDetails } from '../../flows/messages/destinations.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import { readAttributes } from '../../users/attributes.ts'
import { confirmationView } from '../views/confirmation-view.ts'
import { signInView } from '../views/sign-in-view.ts'
import { signUpAttributes, signUpView } from '../views/sign-up-view.ts'
import type { Visit } from '../visit.ts'
import { refusalOf } from './refusal.ts'

/** Creates an account. */
export async function signUp(visit: Visit): Promise<WebAnswer> {
  const { engine, caller, form } = visit
  const username = form.get('username') ?? ''
  const entered = signUpAttributes(caller.pool).flatMap(Name => {
    const Value = form.get(Name) ?? ''
    return Value === '' ? [] : [{ Name, Value }]
  })
  try {
    const { destination } = await createAccount(engine, caller, {
      username,
      password: form.get('new_password') ?? '',
      attributes: readAttributes(caller.pool, entered, false),
      validationData: {},
      clientMetadata: {},
    })
    if (destination === undefined)
      return signInView(visit, { username, notice: 'Your account is there. Sign in.' })
    const { Destination: to } = deliveryDetails(destination)
    return confirmationView(visit, { username, notice: `A code was sent to ${to}.` })
  } catch (error) {
    return signUpView(visit, refusalOf(error).message)
  }
}

/** Confirms an account with the code from the form. */
export async function confirmUser(visit: Visit): Promise<WebAnswer> {
  const { engine, caller, form } = visit
  const username = form.get('username') ?? ''
  const code = (form.get('code') ?? '').replaceAll(/\s/g, '')
  try {
    await confirmSignUp(engine, caller, { username, code, forceAlias: false, clientMetadata: {} })
    return signInView(visit, { username, notice: 'Your account is confirmed. Sign in.' })
  } catch (error) {
    return confirmationView(visit, { username, wrong: refusalOf(error).message })
  }
}

/** Sends a new sign-up code. */
export async function resend(visit: Visit): Promise<WebAnswer> {
  const username = visit.form.get('username') ?? ''
  try {
    const { Destination: to } = deliveryDetails(await resendCode(visit.engine, visit.caller, username, {}))
    return confirmationView(visit, { username, notice: `A code was sent to ${to}.` })
  } catch (error) {
    return confirmationView(visit, { username, wrong: refusalOf(error).message })
  }
}
