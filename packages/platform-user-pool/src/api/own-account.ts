import * as t from 'io-ts'
import { fields } from './inputs.ts'
import { type Operations, open } from './operation.ts'
import { wireAttributes } from './wire-user.ts'

const token = { AccessToken: t.string }

/** What users do with their own accounts. */
export const ownAccountOperations: Operations = {
  GetUser: open(fields(token, {}), async (engine, { AccessToken }, sdk) => {
    const { user } = await engine.tokenCaller(AccessToken, sdk)
    return { Username: user.name, UserAttributes: wireAttributes(user) }
  }),

  GlobalSignOut: open(fields(token, {}), async (engine, { AccessToken }, sdk) => {
    const { user, caller } = await engine.tokenCaller(AccessToken, sdk)
    await engine.store.change({
      pool: caller.pool.id,
      now: engine.clock.now(),
      ends: [{ user: user.id, kinds: ['grant'] }],
    })
    return {}
  }),
}
