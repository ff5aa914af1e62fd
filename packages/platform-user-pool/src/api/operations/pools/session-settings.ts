import * as t from 'io-ts'
import type { CreatedPool } from '../../../created-pools/created-pool.ts'
import type { Engine } from '../../../engine.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { admin, type Operations } from '../operation.ts'
import { clientOf } from './created-clients.ts'
import { refuseConfigured } from './refuse-configured.ts'

const pool = { UserPoolId: t.string }
const client = { ...pool, ClientId: t.string }

/** Operations that set how a pool tracks sessions. Each `Set…` replaces all settings of its kind. */
export const sessionSettingsOperations: Operations = {
  GetUserPoolSessionConfiguration: admin(fields(pool, {}), async (engine, { UserPoolId }) =>
    wirePool(engine, UserPoolId),
  ),

  SetUserPoolSessionConfiguration: admin(
    fields(
      {
        ...pool,
        UserSessionTracking: t.keyof({ ENABLED: 0, DISABLED: 0 }),
        TokenSession: t.type({ MaxPerUser: wholeNumber(1, 100) }),
      },
      {},
    ),
    async (engine, { UserPoolId, UserSessionTracking, TokenSession }) => {
      refuseLite(refuseConfigured(engine, UserPoolId))
      const sessions = { isTracked: UserSessionTracking === 'ENABLED', most: TokenSession.MaxPerUser }
      await engine.createdPools.change(UserPoolId, before => ({ ...before, sessions }))
      return wirePool(engine, UserPoolId)
    },
  ),

  GetUserPoolClientSessionConfiguration: admin(fields(client, {}), async (engine, { UserPoolId, ClientId }) =>
    wireClient(engine, UserPoolId, ClientId),
  ),

  SetUserPoolClientSessionConfiguration: admin(
    fields({ ...client, SSOSession: t.type({ MaxValidityMinutes: wholeNumber(0, 129_600) }) }, {}),
    async (engine, { UserPoolId, ClientId, SSOSession }) => {
      const createdPool = refuseConfigured(engine, UserPoolId)
      refuseLite(createdPool)
      clientOf(createdPool, ClientId)
      if (createdPool.sessions?.isTracked !== true)
        throw new UserPoolError(
          'OperationNotEnabledException',
          'Session tracking is not enabled for the user pool.',
        )
      await engine.createdPools.change(UserPoolId, before => ({
        ...before,
        clients: before.clients.map(each =>
          each.id === ClientId ? { ...each, reuseMinutes: SSOSession.MaxValidityMinutes } : each,
        ),
      }))
      return wireClient(engine, UserPoolId, ClientId)
    },
  ),
}

function wirePool(engine: Engine, UserPoolId: string) {
  const { sessions } = engine.poolOf(UserPoolId)
  // A pool that does not track sessions keeps its number.
  const most = sessions?.most ?? engine.createdPools.get(UserPoolId)?.sessions?.most ?? 20
  return {
    UserPoolId,
    UserSessionTracking: sessions === undefined ? 'DISABLED' : 'ENABLED',
    TokenSession: { MaxPerUser: most },
  }
}

function wireClient(engine: Engine, UserPoolId: string, ClientId: string) {
  const found = engine.poolOf(UserPoolId).clients.find(({ id }) => id === ClientId)
  if (found === undefined)
    throw new UserPoolError('ResourceNotFoundException', `User pool client ${ClientId} does not exist.`)
  return { UserPoolId, ClientId, SSOSession: { MaxValidityMinutes: found.reuse / 60_000 } }
}

function refuseLite({ requested }: CreatedPool): void {
  if (requested.UserPoolTier !== 'LITE') return
  throw new UserPoolError(
    'FeatureUnavailableInTierException',
    'Session tracking needs the tier ESSENTIALS or PLUS.',
  )
}
