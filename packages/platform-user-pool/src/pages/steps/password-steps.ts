import { confirmForgotPassword, forgotPassword } from '../../flows/accounts/forgotten-password.ts'
import { deliveryDetails } from '../../flows/messages/destinations.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import { forgottenPasswordView, resetPasswordView } from '../views/password-views.ts'
import { signInView } from '../views/sign-in-view.ts'
import type { Visit } from '../visit.ts'
import { refusalOf } from './refusal.ts'

/** Sends a password-reset code. */
export async function askForReset(visit: Visit): Promise<WebAnswer> {
  const username = visit.form.get('username') ?? ''
  try {
    const { Destination: to } = deliveryDetails(
      await forgotPassword(visit.engine, visit.caller, username, {}),
    )
    return resetPasswordView(visit, { username, notice: `A code was sent to ${to}.` })
  } catch (error) {
    return forgottenPasswordView(visit, refusalOf(error).message)
  }
}

/** Replaces a forgotten password after checking the code. */
export async function resetPassword(visit: Visit): Promise<WebAnswer> {
  const { engine, caller, form } = visit
  const username = form.get('username') ?? ''
  const code = (form.get('code') ?? '').replaceAll(/\s/g, '')
  const password = form.get('new_password') ?? ''
  try {
    await confirmForgotPassword(engine, caller, { username, code, password, clientMetadata: {} })
    return signInView(visit, { username, notice: 'Your password is changed. Sign in.' })
  } catch (error) {
    return resetPasswordView(visit, { username, wrong: refusalOf(error).message })
  }
}
