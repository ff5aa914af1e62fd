import type { Device } from '../../flows/factors/devices.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import { type Html, html } from '../html.ts'
import { carried } from '../page.ts'
import { formTo, pageAddress, show, type Visit } from '../visit.ts'

/** A session as its user sees it. Times are milliseconds since the epoch. */
export interface AccountSession {
  readonly id: string
  /** The name of the program that has the tokens. Undefined for the session of a browser at the hosted pages. */
  readonly program: string | undefined
  readonly agent: string
  readonly address: string | undefined
  readonly created: number
  readonly active: number
  readonly isThisBrowser: boolean
}

/** What the page shows of an account. Undefined where the pool does not track sessions, or does not remember devices. */
interface Account {
  readonly name: string
  readonly sessions: readonly AccountSession[] | undefined
  readonly devices: readonly (Device & { readonly isThisBrowser: boolean })[] | undefined
}

/** Returns the page on which users see and end their sessions, and forget devices. */
export function accountView(
  visit: Visit,
  { name, sessions, devices }: Account,
  { wrong, notice }: { readonly wrong?: string; readonly notice?: string } = {},
): WebAnswer {
  const { firstFactors } = visit.caller.pool
  const everywhere = html`${carried({ action: 'everywhere' })}<button class="second">Sign out everywhere</button>`
  return show(visit, {
    title: 'Your account',
    wrong,
    notice,
    body: html`<p>You are signed in as ${name}.</p>
${
  sessions !== undefined &&
  html`<h2>Where you are signed in</h2>
<ol>${sessions.map((session, at) => sessionItem(visit, session, at + 1))}</ol>`
}
${
  devices !== undefined &&
  html`<h2>Devices that need no second factor</h2>
${
  devices.length === 0
    ? html`<p>There is none.</p>`
    : html`<ol>${devices.map((device, at) => deviceItem(visit, device, at + 1))}</ol>`
}`
}
${formTo(visit, 'account', everywhere)}
<nav>${firstFactors.includes('passkey') && html`<a href="${pageAddress(visit, 'passkeys')}">Your passkeys</a>`}
<a href="oauth2/authorize?${visit.query}">Back to the application</a></nav>`,
  })
}

function sessionItem(visit: Visit, session: AccountSession, number: number): Html {
  const { id, program, agent, address, created, active, isThisBrowser } = session
  const what = program === undefined ? 'A browser' : `The program ${program}`
  const form = html`${carried({ action: 'end', id })}<button class="second">End session ${number}</button>`
  return html`<li>${isThisBrowser ? 'This browser' : what}${
    agent !== 'unknown' && html`, by ${agent}`
  }, since ${timeOf(created)}, last used ${timeOf(active)}${address !== undefined && html`, from ${address}`}
${!isThisBrowser && formTo(visit, 'account', form)}</li>
`
}

function deviceItem(
  visit: Visit,
  {
    key,
    name = 'A device',
    isRemembered,
    authenticated,
    isThisBrowser,
  }: NonNullable<Account['devices']>[number],
  number: number,
): Html {
  const form = html`${carried({ action: 'forget', id: key })}<button class="second">Forget device ${number}</button>`
  return html`<li>${isThisBrowser ? 'This browser' : name}, last used ${timeOf(authenticated)}${
    !isRemembered && html`, not remembered`
  }
${formTo(visit, 'account', form)}</li>
`
}

/** Returns a time in UTC, because the platform does not know where the user is. */
function timeOf(ms: number): Html {
  const text = new Date(ms).toISOString()
  return html`<time datetime="${text}">${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`
}
