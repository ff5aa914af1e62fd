import { storedRegistration } from '../../agents/registered-clients.ts'
import { devicesOf, forgetDevice } from '../../flows/factors/devices.ts'
import { signOutEverywhere } from '../../flows/sign-in/sign-out.ts'
import { revokeSession, sessionsOfUser } from '../../flows/sign-in/tracked-sessions.ts'
import type { BrowserSession } from '../../oidc/browser-sessions.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import { invalidParameter } from '../../users/attributes.ts'
import { type AccountSession, accountView } from '../views/account-view.ts'
import { signInView } from '../views/sign-in-view.ts'
import { goTo, type Visit, withNext } from '../visit.ts'
import { recentSession } from './recent-session.ts'
import { refusalOf } from './refusal.ts'

/** Shows where the signed-in user is signed in, and which devices are remembered. */
export async function showAccount(visit: Visit): Promise<WebAnswer> {
  const session = await recentSession(visit)
  return session === undefined ? signInFirst(visit) : shown(visit, session)
}

/** Ends a session, forgets a device, or signs the user out everywhere. */
export async function changeAccount(visit: Visit): Promise<WebAnswer> {
  const { engine, caller, form } = visit
  const session = await recentSession(visit)
  if (session === undefined) return signInFirst(visit)
  const { user } = session
  const id = form.get('id') ?? ''
  try {
    switch (form.get('action')) {
      case 'end':
        await endSession(visit, session, id)
        return await shown(visit, session, { notice: 'The session has ended.' })
      case 'forget':
        await forgetDevice(engine, caller.pool, user, id)
        return await shown(visit, session, { notice: 'The device is forgotten.' })
      case 'everywhere':
        await signOutEverywhere(engine, caller, user)
        // Whoever has a browser of the user, and the password, should not get in without the second factor.
        for (const { key } of await devicesOf(engine, caller.pool, user))
          await forgetDevice(engine, caller.pool, user, key)
        return signInView(visit, { notice: 'You are signed out everywhere.' })
      default:
        throw invalidParameter('This page does not know what you want to do.')
    }
  } catch (error) {
    return shown(visit, session, { wrong: refusalOf(error).message })
  }
}

/**
 * Ends a session of the user. With the session of a browser, the sessions of programs that came from it end, too.
 * @throws UserPoolError for a session that the user does not have, and for the session of this browser
 */
async function endSession({ engine, caller }: Visit, session: BrowserSession, id: string): Promise<void> {
  const { pool } = caller
  const found = (await sessionsOfUser(engine, pool, session.user)).find(each => each.id === id)
  if (found?.stored.id === session.id) throw invalidParameter('This is the browser that you are using.')
  await revokeSession(engine, pool, session.user, id, found?.type === 'SSO')
}

async function shown(
  visit: Visit,
  session: BrowserSession,
  said: { readonly wrong?: string; readonly notice?: string } = {},
): Promise<WebAnswer> {
  const { engine, caller, browser } = visit
  const { pool } = caller
  const { user } = session
  const tracked = pool.sessions === undefined ? undefined : await sessionsOfUser(engine, pool, user)
  const sessions =
    tracked &&
    (await Promise.all(
      tracked.map(
        async ({ id, type, client, agent, address, created, active, stored }): Promise<AccountSession> => ({
          ...{ id, agent, address, created, active },
          program: type === 'SSO' ? undefined : await nameOf(visit, client),
          isThisBrowser: stored.id === session.id,
        }),
      ),
    ))
  const [key] = browser.device?.split('.') ?? []
  const devices =
    pool.devices.remember === 'off'
      ? undefined
      : (await devicesOf(engine, pool, user)).map(device => ({
          ...device,
          isThisBrowser: device.key === key,
        }))
  return accountView(visit, { name: nameOfUser(session), sessions, devices }, said)
}

/** Returns the name by which the user knows the account. The user name of some accounts is only an id. */
function nameOfUser({ user: { id, name, attributes } }: BrowserSession): string {
  return name === id ? (attributes.email ?? attributes.phone_number ?? name) : name
}

/** Returns the name of a program. A program with a document has the address of the document as its id. */
async function nameOf({ engine, caller }: Visit, id: string): Promise<string> {
  const { pool } = caller
  const configured = pool.clients.find(client => client.id === id)
  return configured?.name ?? (await storedRegistration(engine, pool, id))?.name ?? id
}

function signInFirst({ query }: Visit): WebAnswer {
  return goTo(`login?${withNext(query, 'account')}`)
}
