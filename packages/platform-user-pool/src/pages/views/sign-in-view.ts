import { hasCustomAuth } from '../../flows/sign-in/custom-auth.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import { html } from '../html.ts'
import { fieldsOf } from '../page.ts'
import { formTo, pageAddress, show, type Visit } from '../visit.ts'
import { userNameField } from './user-name-field.ts'

/** Returns the page on which users sign in. */
export function signInView(
  visit: Visit,
  { wrong, notice, username }: { wrong?: string; notice?: string; username?: string | undefined } = {},
): WebAnswer {
  const { pool, client } = visit.caller
  const providers = pool.identityProviders.filter(({ name }) => client.oauth.providers.includes(name))
  const name = username ?? visit.request.loginHint
  const form = html`
${fieldsOf(
  [
    userNameField(pool, name),
    { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' },
  ],
  wrong,
)}<button>Sign in</button>
${
  pool.firstFactors.includes('passkey') &&
  html`<button class="second" name="by" value="passkey" formnovalidate>Sign in with a passkey</button>`
}${
  hasCustomAuth(visit.caller) &&
  html`<button class="second" name="by" value="custom" formnovalidate>Sign in without a password</button>`
}`
  return show(visit, {
    title: 'Sign in',
    wrong,
    notice,
    body: html`${formTo(visit, 'login', form)}
${providers.map(
  ({
    name: provider,
  }) => html`<a class="button second" href="${providerAddress(visit, provider)}">Continue with ${provider}</a>
`,
)}<nav>
<a href="${pageAddress(visit, 'forgotPassword')}">Forgot your password?</a>
${pool.signUp && html`<a href="${pageAddress(visit, 'signup')}">Create an account</a>`}
</nav>`,
  })
}

function providerAddress({ query }: Visit, provider: string): string {
  const parameters = new URLSearchParams(query)
  parameters.delete('idp_identifier')
  parameters.set('identity_provider', provider)
  return `oauth2/authorize?${parameters}`
}
