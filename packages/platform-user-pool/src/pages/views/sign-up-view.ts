import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import { type Html, html } from '../html.ts'
import { type Field, fieldsOf } from '../page.ts'
import { formTo, pageAddress, show, type Visit } from '../visit.ts'
import { newPasswordField } from './password-views.ts'
import { userNameField } from './user-name-field.ts'

/** Returns the page on which users create accounts. */
export function signUpView(visit: Visit, wrong?: string): WebAnswer {
  const { pool } = visit.caller
  const entered = (name: string) => visit.form.get(name) ?? undefined
  const named = pool.signIn.includes('name') ? { ...pool, signIn: ['name' as const] } : pool
  const fields = [
    userNameField(named, entered('username')),
    ...signUpAttributes(pool).map(name => attributeField(name, entered(name))),
    newPasswordField(pool),
  ]
  return show(visit, {
    title: 'Create an account',
    wrong,
    body: html`${formTo(visit, 'signup', html`${fieldsOf(fields, wrong)}${termsText(visit)}<button>Create the account</button>`)}
<nav><a href="${pageAddress(visit, 'login')}">Sign in instead</a></nav>`,
  })
}

/** Returns what a user agrees to with a new account, if the client or the pool refers to anything. */
function termsText({ caller: { client, pool } }: Visit): Html | false {
  const { termsOfUse = pool.pages.termsOfUse, privacyPolicy = pool.pages.privacyPolicy } = client.terms ?? {}
  if (termsOfUse === undefined && privacyPolicy === undefined) return false
  const link = (address: string, text: string) =>
    html`<a href="${address}" target="_blank" rel="noopener noreferrer">${text}</a>`
  const use = termsOfUse !== undefined && html`you agree to the ${link(termsOfUse, 'terms of use')}`
  const policy =
    privacyPolicy !== undefined && html`you have read the ${link(privacyPolicy, 'privacy policy')}`
  return html`<p class="terms">By creating an account, ${use}${use && policy && html`, and `}${policy}.</p>
`
}

/**
 * Returns the attributes that a new user has to enter. They are the required attributes, and the addresses that get
 * codes.
 */
export function signUpAttributes({ required, verify, signIn }: PoolSettings): readonly string[] {
  const verified = verify.slice(0, 1).map(kind => (kind === 'email' ? 'email' : 'phone_number'))
  const names = new Set([...verified, ...required])
  // In a pool without user names, the field for the sign-in name already asks for the first attribute.
  if (!signIn.includes('name'))
    names.delete(
      signIn[0] === 'email' ? 'email' : signIn[0] === 'phone' ? 'phone_number' : 'preferred_username',
    )
  return [...names]
}

type Kind = Pick<Field, 'type' | 'autocomplete'> & { readonly label?: string }

const kinds: { readonly [attribute: string]: Kind } = {
  email: { label: 'E-mail address', type: 'email', autocomplete: 'email' },
  phone_number: { label: 'Phone number', type: 'tel', autocomplete: 'tel' },
  name: { label: 'Full name', autocomplete: 'name' },
  given_name: { autocomplete: 'given-name' },
  family_name: { autocomplete: 'family-name' },
  middle_name: { autocomplete: 'additional-name' },
  nickname: { autocomplete: 'nickname' },
  preferred_username: { label: 'Preferred user name', autocomplete: 'nickname' },
  birthdate: { label: 'Date of birth', type: 'date', autocomplete: 'bday' },
  website: { type: 'url', autocomplete: 'url' },
  picture: { type: 'url', autocomplete: 'photo' },
  gender: { autocomplete: 'sex' },
  locale: { label: 'Language', autocomplete: 'language' },
  address: { autocomplete: 'street-address' },
}

const phoneHint = 'With the country, such as +49 for Germany.'

/** Returns the field for an attribute. */
export function attributeField(name: string, value?: string): Field {
  const kind = kinds[name] ?? { autocomplete: 'off' }
  const words = name.replace(/^custom:/, '').replaceAll('_', ' ')
  const label = kind.label ?? `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
  return { name, value, ...kind, label, ...(name === 'phone_number' && { hint: phoneHint }) }
}
