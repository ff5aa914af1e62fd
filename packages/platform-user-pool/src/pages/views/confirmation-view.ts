import type { WebAnswer } from '../../oidc/web.ts'
import { html } from '../html.ts'
import { carried, fieldsOf } from '../page.ts'
import { formTo, show, type Visit } from '../visit.ts'
import { codeField } from './code-field.ts'

/** Returns the page on which new users enter the sign-up code. */
export function confirmationView(
  visit: Visit,
  { wrong, notice, username }: { wrong?: string; notice?: string; username: string },
): WebAnswer {
  const confirm = html`${carried({ username })}
${fieldsOf([codeField], wrong)}<button>Confirm the account</button>`
  const resend = html`${carried({ username })}<button class="second">Send another code</button>`
  return show(visit, {
    title: 'Confirm your account',
    wrong,
    notice,
    body: html`${formTo(visit, 'confirmUser', confirm)}
${formTo(visit, 'resendCode', resend)}`,
  })
}
