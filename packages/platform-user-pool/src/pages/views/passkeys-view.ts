import type { Passkey } from '../../flows/factors/passkeys.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import { html } from '../html.ts'
import { carried } from '../page.ts'
import { passkeyScript } from '../passkey-script.ts'
import { formTo, pageAddress, show, type Visit } from '../visit.ts'

/** Returns the page on which users see, add and remove their passkeys. */
export function passkeysView(
  visit: Visit,
  passkeys: readonly Passkey[],
  { wrong, notice }: { wrong?: string; notice?: string } = {},
): WebAnswer {
  return show(visit, {
    title: 'Your passkeys',
    wrong,
    notice,
    body: html`${
      passkeys.length === 0
        ? html`<p>You have no passkey. With one, you sign in by your device: by a finger, your face or a PIN.</p>`
        : html`<ol>${passkeys.map((passkey, at) => passkeyItem(visit, passkey, at + 1))}</ol>`
    }
${formTo(visit, 'passkeys', html`${carried({ action: 'add' })}<button>Add a passkey</button>`)}
${backLink(visit)}`,
  })
}

function passkeyItem(visit: Visit, { id, attachment, created }: Passkey, number: number) {
  const kind = attachment === 'cross-platform' ? 'Security key' : 'Passkey'
  const day = new Date(created).toISOString().slice(0, 10)
  const form = html`${carried({ action: 'remove', id })}<button class="second">Remove number ${number}</button>`
  return html`<li>${kind}, added on <time datetime="${day}">${day}</time>
${formTo(visit, 'passkeys', form)}</li>
`
}

/** Returns the page on which the browser creates a passkey. */
export function newPasskeyView(visit: Visit, options: object): WebAnswer {
  const form = html`${carried({ action: 'complete' })}<input type="hidden" name="credential" data-creation="${JSON.stringify(options)}"><button>Create the passkey</button>`
  return show(visit, {
    title: 'Add a passkey',
    script: passkeyScript.path,
    body: html`<p>Your browser asks where to keep the passkey.</p>
<noscript><p class="wrong">This needs JavaScript, which is off.</p></noscript>
<p class="wrong" id="failed" role="alert" hidden>The passkey could not be created. Please try again.</p>
${formTo(visit, 'passkeys', form)}
<nav><a href="${pageAddress(visit, 'passkeys')}">Back to your passkeys</a></nav>`,
  })
}

function backLink({ query }: Visit) {
  return html`<nav><a href="account?${query}">Your account</a>
<a href="oauth2/authorize?${query}">Back to the application</a></nav>`
}
