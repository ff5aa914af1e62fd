import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import { html } from '../html.ts'
import { carried, type Field, fieldsOf } from '../page.ts'
import { formTo, pageAddress, show, type Visit } from '../visit.ts'
import { codeField } from './code-field.ts'
import { userNameField } from './user-name-field.ts'

/** Returns the page on which users ask for a code when they have forgotten their password. */
export function forgottenPasswordView(visit: Visit, wrong?: string): WebAnswer {
  const { pool } = visit.caller
  const name = visit.form.get('username') ?? undefined
  return show(visit, {
    title: 'Forgot your password?',
    wrong,
    body: html`<p>A code for a new password goes to the address of the account.</p>
${formTo(visit, 'forgotPassword', html`${fieldsOf([userNameField(pool, name)], wrong)}<button>Send the code</button>`)}
<nav><a href="${pageAddress(visit, 'login')}">Sign in instead</a></nav>`,
  })
}

/** Returns the page on which users choose a new password and enter the code that they got. */
export function resetPasswordView(
  visit: Visit,
  { wrong, notice, username }: { wrong?: string; notice?: string; username: string },
): WebAnswer {
  const form = html`${carried({ username })}
${fieldsOf([codeField, newPasswordField(visit.caller.pool)], wrong)}<button>Change the password</button>`
  return show(visit, {
    title: 'Choose a new password',
    wrong,
    notice,
    body: html`${formTo(visit, 'confirmForgotPassword', form)}
<nav><a href="${pageAddress(visit, 'forgotPassword')}">Send another code</a></nav>`,
  })
}

/** Returns the field for a new password. The field describes the pool's rules. */
export function newPasswordField({ password }: PoolSettings): Field {
  const kinds = [
    password.lower && 'a lower-case letter',
    password.upper && 'an upper-case letter',
    password.digits && 'a digit',
    password.symbols && 'a symbol',
  ].filter(kind => kind !== false)
  const needs = kinds.length === 0 ? '' : `, with ${new Intl.ListFormat('en').format(kinds)}`
  return {
    name: 'new_password',
    label: 'New password',
    type: 'password',
    autocomplete: 'new-password',
    hint: `At least ${password.min} characters${needs}.`,
  }
}
