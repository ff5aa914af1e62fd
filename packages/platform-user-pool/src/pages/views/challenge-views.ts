import type { ClientCaller } from '../../context/engine-context.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import { html } from '../html.ts'
import { carried, fieldsOf } from '../page.ts'
import { passkeyScript } from '../passkey-script.ts'
import { formTo, pageAddress, show, type Visit } from '../visit.ts'
import { codeField } from './code-field.ts'
import { newPasswordField } from './password-views.ts'
import { attributeField } from './sign-up-view.ts'

/** A challenge in a sign-in, as a page shows it. The hidden fields of the form contain it. */
export interface Challenge {
  readonly challenge: string
  readonly session: string
  /**
   * Details for the page, such as the destination of a code, the choices, the secret of an authenticator, or the
   * missing attributes.
   */
  readonly details: readonly string[]
  readonly wrong?: string
}

const detailsField = 'details'

/** Returns the challenge that a form responds to. */
export function carriedChallenge({ form }: Visit): Challenge {
  const details = form.get(detailsField) ?? ''
  return {
    challenge: form.get('challenge') ?? '',
    session: form.get('session') ?? '',
    details: details === '' ? [] : details.split(' '),
  }
}

/** Returns the page for a challenge, or undefined for a challenge without a page. */
export function challengeView(visit: Visit, asked: Challenge): WebAnswer | undefined {
  const { challenge, session, details, wrong } = asked
  const carry = carried({ challenge, session, [detailsField]: details.join(' ') })
  const remember =
    canRemember(visit.caller, challenge) && visit.caller.pool.devices.remember === 'opt-in' && rememberBox
  const withCode = (title: string, text: string) =>
    show(visit, {
      title,
      wrong,
      body: html`<p>${text}</p>
${formTo(visit, 'challenge', html`${carry}${fieldsOf([codeField], wrong)}${remember}<button>Go on</button>`)}
${again(visit)}`,
    })
  switch (challenge) {
    case 'SOFTWARE_TOKEN_MFA':
      return withCode('Enter your code', 'Your authenticator app shows a code.')
    case 'SMS_MFA':
    case 'SMS_OTP':
    case 'EMAIL_OTP':
      return withCode('Enter your code', `A code was sent to ${details[0] ?? 'your address'}.`)
    case 'CUSTOM_CHALLENGE':
      return show(visit, {
        title: 'Answer to go on',
        wrong,
        body: html`${publicParameters(details[0]).map(
          ([name, value]) => html`<p>${name}: ${value}</p>
`,
        )}
${formTo(visit, 'challenge', html`${carry}${fieldsOf([answerField], wrong)}<button>Go on</button>`)}
${again(visit)}`,
      })
    case 'WEB_AUTHN':
      return show(visit, {
        title: 'Use your passkey',
        wrong,
        script: passkeyScript.path,
        body: html`<p>Your browser asks for the passkey of this account.</p>
<noscript><p class="wrong">This needs JavaScript, which is off.</p></noscript>
<p class="wrong" id="failed" role="alert" hidden>The passkey could not be used. Please try again.</p>
${formTo(visit, 'challenge', html`${carry}<input type="hidden" name="credential" data-options="${details[0] ?? ''}"><button>Use the passkey</button>`)}
${again(visit)}`,
      })
    case 'SELECT_MFA_TYPE':
      return show(visit, {
        title: 'Choose how to go on',
        wrong,
        body: html`${formTo(visit, 'challenge', html`${carry}${details.map(choiceButton)}`)}
${again(visit)}`,
      })
    case 'MFA_SETUP':
      return show(visit, {
        title: 'Set up your authenticator app',
        wrong,
        body: html`<p>Add this key to your authenticator app, and enter the code that it shows then.</p>
<p class="secret">${(details[0] ?? '').replace(/(.{4})(?=.)/g, '$1 ')}</p>
${formTo(visit, 'challenge', html`${carry}${fieldsOf([codeField], wrong)}${remember}<button>Go on</button>`)}
${again(visit)}`,
      })
    case 'NEW_PASSWORD_REQUIRED': {
      const missing = details.map(name => attributeField(name, visit.form.get(name) ?? undefined))
      const fields = [newPasswordField(visit.caller.pool), ...missing]
      return show(visit, {
        title: 'Choose a new password',
        wrong,
        body: html`<p>Your password was set by an administrator. Choose your own.</p>
${formTo(visit, 'challenge', html`${carry}${fieldsOf(fields, wrong)}<button>Go on</button>`)}
${again(visit)}`,
      })
    }
    default:
      return undefined
  }
}

/** The name of the check box for remembering the browser. */
export const rememberField = 'remember'

const rememberBox = html`<label class="choice"><input type="checkbox" name="${rememberField}" value="on"> Remember this browser: next time, the password is enough</label>
`

/** Returns whether a pool can remember a browser after this challenge, which must prove a second factor. */
export function canRemember({ pool: { devices } }: Pick<ClientCaller, 'pool'>, challenge: string): boolean {
  return devices.remember !== 'off' && devices.skipFactor && secondFactors.includes(challenge)
}

const secondFactors = ['SOFTWARE_TOKEN_MFA', 'SMS_MFA', 'EMAIL_OTP', 'MFA_SETUP']

const answerField = { name: 'answer', label: 'Answer', autocomplete: 'off' } as const

/** Returns the public parameters of a custom challenge. They come from a form, so they can contain anything. */
function publicParameters(text = ''): readonly [string, string][] {
  try {
    const details: unknown = JSON.parse(Buffer.from(text, 'base64').toString())
    return Object.entries(details as object).map(([name, value]) => [name, String(value)])
  } catch {
    return []
  }
}

function again(visit: Visit) {
  return html`<nav><a href="${pageAddress(visit, 'login')}">Sign in as someone else</a></nav>`
}

const choices: { readonly [challenge: string]: string } = {
  SOFTWARE_TOKEN_MFA: 'With my authenticator app',
  SMS_MFA: 'With a code by text message',
  EMAIL_OTP: 'With a code by e-mail',
}

function choiceButton(challenge: string) {
  return html`<button name="answer" value="${challenge}">${choices[challenge] ?? challenge}</button>`
}
