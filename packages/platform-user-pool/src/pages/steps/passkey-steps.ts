import { completePasskey, deletePasskey, passkeysOf, startPasskey } from '../../flows/factors/passkeys.ts'
import { newCredentialIn } from '../../flows/factors/web-authn.ts'
import type { WebAnswer } from '../../oidc/web.ts'
import type { StoredUser } from '../../store/user-pool-store.ts'
import { newPasskeyView, passkeysView } from '../views/passkeys-view.ts'
import { goTo, type Visit, withNext } from '../visit.ts'
import { recentSession } from './recent-session.ts'
import { refusalOf } from './refusal.ts'

/** Shows the passkeys of the signed-in user. */
export async function showPasskeys(visit: Visit): Promise<WebAnswer> {
  const user = await recentUser(visit)
  return user === undefined ? signInFirst(visit) : listed(visit, user)
}

/** Adds or removes a passkey of the signed-in user. */
export async function changePasskeys(visit: Visit): Promise<WebAnswer> {
  const { engine, caller, form } = visit
  const user = await recentUser(visit)
  if (user === undefined) return signInFirst(visit)
  try {
    switch (form.get('action')) {
      case 'add':
        return newPasskeyView(visit, await startPasskey(engine, caller, user, caller.client.id))
      case 'complete': {
        const credential = newCredentialIn(form.get('credential') ?? '')
        await completePasskey(engine, caller, user, caller.client.id, credential)
        return await listed(visit, user, { notice: 'The passkey is added.' })
      }
      default:
        await deletePasskey(engine, caller.pool, user, form.get('id') ?? '')
        return await listed(visit, user, { notice: 'The passkey is removed.' })
    }
  } catch (error) {
    return listed(visit, user, { wrong: refusalOf(error).message })
  }
}

async function listed(
  visit: Visit,
  user: StoredUser,
  said: { readonly wrong?: string; readonly notice?: string } = {},
): Promise<WebAnswer> {
  return passkeysView(visit, await passkeysOf(visit.engine, visit.caller.pool, user), said)
}

/** Returns the signed-in user if the sign-in was recent and the pool supports passkeys. */
async function recentUser(visit: Visit): Promise<StoredUser | undefined> {
  if (!visit.caller.pool.firstFactors.includes('passkey')) return undefined
  return (await recentSession(visit))?.user
}

function signInFirst(visit: Visit): WebAnswer {
  const { firstFactors } = visit.caller.pool
  return goTo(`login?${firstFactors.includes('passkey') ? withNext(visit.query, 'passkeys') : visit.query}`)
}
