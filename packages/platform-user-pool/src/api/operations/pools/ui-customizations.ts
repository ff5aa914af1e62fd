import * as t from 'io-ts'
import { customCss } from '../../../config/custom-css.ts'
import type { PoolPart } from '../../../created-pools/created-pool.ts'
import type { Engine } from '../../../engine.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { fields } from '../../wire/inputs.ts'
import { seconds } from '../../wire/wire-user.ts'
import { admin, type Operations } from '../operation.ts'
import { refuseConfigured } from './refuse-configured.ts'

const pool = { UserPoolId: t.string }

/** Operations on the styles of pools created through the API. */
export const uiCustomizationOperations: Operations = {
  SetUICustomization: admin(
    fields(pool, { ClientId: t.string, CSS: t.string }),
    async (engine, { UserPoolId, ClientId = everyClient, CSS, ...others }) => {
      if ('ImageFile' in others) throw invalidParameter('Images of pages are not supported.')
      const { problem } = customCss(CSS ?? '')
      if (problem !== undefined) throw invalidParameter(`CSS cannot be used: ${problem}.`)
      refuseConfigured(engine, UserPoolId)
      refuseUnknownClient(engine, UserPoolId, ClientId)
      const now = engine.clock.now()
      const { uiCustomizations = [] } = await engine.createdPools.change(UserPoolId, createdPool => {
        const before = createdPool.uiCustomizations ?? []
        const created = before.find(each => each.name === ClientId)?.created ?? now
        const part: PoolPart = { name: ClientId, created, modified: now, requested: { CSS } }
        return {
          ...createdPool,
          uiCustomizations: [...before.filter(each => each.name !== ClientId), part],
        }
      })
      return { UICustomization: wireCustomization(UserPoolId, ClientId, uiCustomizations) }
    },
  ),

  GetUICustomization: admin(
    fields(pool, { ClientId: t.string }),
    async (engine, { UserPoolId, ClientId = everyClient }) => {
      refuseUnknownClient(engine, UserPoolId, ClientId)
      const { uiCustomizations = [] } = engine.createdPools.get(UserPoolId) ?? {}
      return { UICustomization: wireCustomization(UserPoolId, ClientId, uiCustomizations) }
    },
  ),
}

/** The client id that stands for all clients without styles of their own. */
const everyClient = 'ALL'

/**
 * Refuses a client that does not belong to the pool.
 * @throws UserPoolError for an unknown pool or client
 */
function refuseUnknownClient(engine: Engine, poolId: string, clientId: string): void {
  const { clients } = engine.poolOf(poolId)
  if (clientId !== everyClient && !clients.some(({ id }) => id === clientId))
    throw new UserPoolError('ResourceNotFoundException', `User pool client ${clientId} does not exist.`)
}

/** Returns the styles for a client, or the styles for all clients if the client has no styles of its own. */
function wireCustomization(UserPoolId: string, ClientId: string, all: readonly PoolPart[]) {
  const found = all.find(({ name }) => name === ClientId) ?? all.find(({ name }) => name === everyClient)
  if (found === undefined) return { UserPoolId, ClientId }
  const { name, created, modified, requested } = found
  return {
    UserPoolId,
    ClientId: name,
    CSS: requested.CSS,
    CSSVersion: String(modified),
    LastModifiedDate: seconds(modified),
    CreationDate: seconds(created),
  }
}
