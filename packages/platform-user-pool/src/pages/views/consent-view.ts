import { ownScope } from '../../config/client-config.ts'
import { isOnDevice } from '../../config/redirect-address.ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { BrowserSession } from '../../oidc/browser-sessions.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import { html } from '../html.ts'
import { carried } from '../page.ts'
import { formTo, pageAddress, show, type Visit } from '../visit.ts'

/** The field with the digest of what the page shows. */
export const shownField = 'shown'

const standardScopes: { readonly [scope: string]: string } = {
  openid: 'Know who you are here',
  email: 'Read your e-mail address',
  phone: 'Read your phone number',
  profile: 'Read your profile',
  [ownScope]: 'Read and change everything about your account, such as its password and its addresses',
}

/**
 * Returns the page on which users consent to what a client asks for. Everything that the client says about itself is
 * text, and only the host of its document is known to be true.
 * @param shown the digest of what the page shows
 */
export function consentView(
  visit: Visit,
  { user }: Pick<BrowserSession, 'user'>,
  shown: string,
  wrong?: string,
): WebAnswer {
  const { pool, client } = visit.caller
  const { agent, id } = client
  const { scopes, resource, device, redirectUri } = visit.request
  const form = html`${carried({ [shownField]: shown })}<button name="answer" value="allow">Allow</button>
<button class="second" name="answer" value="refuse">Refuse</button>`
  return show(visit, {
    title: 'Allow access?',
    wrong,
    body: html`<p><strong>${agent?.name ?? client.name}</strong> asks for access to your account <strong>${user.name}</strong>.</p>
${agent?.kind === 'document' && html`<p>It is described at <strong>${new URL(id).host}</strong>. Its name is not checked.</p>`}
${agent?.kind === 'registered' && html`<p>It has registered itself. Neither its name nor its maker is checked.</p>`}
${agent?.uri !== undefined && html`<p>Its page: ${agent.uri}</p>`}
${
  device === undefined
    ? html`<p>Afterwards, your browser goes to <strong>${targetOf(redirectUri)}</strong>.</p>`
    : html`<p>Your device must show the code <strong class="secret">${device.userCode}</strong>.</p>`
}
${resource !== undefined && html`<p>The access is for <strong>${resource}</strong>.</p>`}
<p>It could:</p>
<ul>${scopes.map(scope => html`<li>${descriptionOf(pool, scope)}</li>`)}</ul>
<p>Its tokens also contain your user name and your groups.</p>
<p class="notice">Allow this only if you have just begun it yourself, in a program that you know.</p>
${formTo(visit, 'consent', form)}
<nav><a href="${pageAddress(visit, 'login')}">Use another account</a></nav>`,
  })
}

/** Returns the page that says what becomes of a device. */
export function deviceDoneView(visit: Visit, text: string): WebAnswer {
  return show(visit, { title: 'Connect a device', body: html`<p>${text} You can close this page.</p>` })
}

/** Returns the name of the place that gets the user's code. */
function targetOf(address: string): string {
  const { protocol, host } = new URL(address)
  if (!isOnDevice(address)) return host
  return protocol === 'https:' || protocol === 'http:'
    ? `a program on this device (${host})`
    : `an app on this device (${protocol})`
}

function descriptionOf({ resourceServers }: PoolSettings, scope: string): string {
  const own = resourceServers.flatMap(({ identifier, name, scopes }) =>
    scopes.map(each => ({ scope: `${identifier}/${each.name}`, text: `${each.description} (${name})` })),
  )
  return standardScopes[scope] ?? own.find(each => each.scope === scope)?.text ?? scope
}
