import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { Engine } from '../../engine.ts'
import { enteredCode, hasDevices } from '../../oidc/device-authorization.ts'
import type { WebAnswer, WebRequest } from '../../oidc/web.ts'
import { html } from '../html.ts'
import { fieldsOf, pageAnswer } from '../page.ts'
import { goTo } from '../visit.ts'

/**
 * Shows the page on which a user enters the code of a device, and begins the sign-in for it. Returns undefined if no
 * client of the pool uses the device flow.
 */
export async function devicePage(
  engine: Engine,
  pool: PoolSettings,
  { method, query, form, address }: WebRequest,
): Promise<WebAnswer | undefined> {
  if (!hasDevices(pool)) return undefined
  if (method === 'GET') return codeView(query.get('user_code') ?? '')
  const entered = form?.get('user_code') ?? ''
  const handle = await enteredCode(engine, pool, entered, address)
  if (handle === undefined) return codeView('', 'There is no such code, or it is too old.')
  // A user who is signed in goes on to the consent.
  return goTo(`oauth2/authorize?${new URLSearchParams({ device: handle })}`)
}

function codeView(value: string, wrong?: string): WebAnswer {
  const field = {
    ...{ name: 'user_code', label: 'Code', autocomplete: 'off', hint: 'The code that your device shows.' },
    value: value.slice(0, 20),
  }
  return pageAnswer({
    title: 'Connect a device',
    wrong,
    body: html`<form method="post" action="device">
${fieldsOf([field], wrong)}<button>Continue</button>
</form>`,
  })
}
