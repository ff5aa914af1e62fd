import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { Engine } from '../../engine.ts'
import { deviceParameter } from '../../oidc/authorization-request.ts'
import { enteredCode, hasDevices } from '../../oidc/device-authorization.ts'
import type { WebAnswer, WebRequest } from '../../oidc/web.ts'
import { html } from '../html.ts'
import { fieldsOf, pageAnswer } from '../page.ts'
import { cookieHeader, cookieOf, formTokenField, goTo, isOwnForm, newCookie } from '../visit.ts'

/**
 * Shows the page on which a user enters the code of a device, and begins the sign-in for it in this browser alone. Returns
 * undefined if no client of the pool uses the device flow.
 */
export async function devicePage(
  engine: Engine,
  pool: PoolSettings,
  web: WebRequest,
): Promise<WebAnswer | undefined> {
  if (!hasDevices(pool)) return undefined
  const sent = cookieOf(engine, { pool }, web, 'connect')
  const cookie = sent ?? newCookie(engine)
  const view = (value: string, wrong?: string) => {
    const page = codeView(engine, pool, cookie, value, wrong)
    if (sent !== undefined) return page
    const header = cookieHeader(engine, { pool }, cookie, 'connect')
    return { ...page, headers: { ...page.headers, 'set-cookie': header } }
  }
  if (web.method === 'GET') return view(web.query.get('user_code') ?? '')
  const entered = web.form?.get('user_code') ?? ''
  if (!isOwnForm(engine, { pool }, web, sent))
    return view(entered, 'The page was open for too long, or cookies are off. Please try again.')
  const handle = await enteredCode(engine, pool, entered, cookie, web.address)
  if (handle === undefined) return view('', 'There is no such code, or it is too old.')
  // A user who is signed in goes on to the consent.
  return goTo(`oauth2/authorize?${new URLSearchParams({ [deviceParameter]: handle })}`)
}

function codeView(
  engine: Engine,
  pool: PoolSettings,
  cookie: string,
  value: string,
  wrong: string | undefined,
): WebAnswer {
  const field = {
    ...{ name: 'user_code', label: 'Code', autocomplete: 'off', hint: 'The code that your device shows.' },
    value: value.slice(0, 20),
  }
  return pageAnswer({
    look: pool.pages,
    title: 'Connect a device',
    wrong,
    body: html`<form method="post" action="device">
${formTokenField(engine, { pool }, cookie)}
${fieldsOf([field], wrong)}<button>Continue</button>
</form>`,
  })
}
