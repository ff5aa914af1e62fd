import * as t from 'io-ts'
import { registeredClients, storedRegistration } from '../../../agents/registered-clients.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { page } from '../../wire/page.ts'
import {
  wireConfiguredClient,
  wireConfiguredMfa,
  wireConfiguredPool,
} from '../../wire/wire-configured-pool.ts'
import { wireCreatedClient, wireCreatedMfa, wireCreatedPool } from '../../wire/wire-created-pool.ts'
import { wireRegisteredClient } from '../../wire/wire-registered-client.ts'
import { seconds } from '../../wire/wire-user.ts'
import { admin, type Operations } from '../operation.ts'
import { clientOf } from './created-clients.ts'

const pool = { UserPoolId: t.string }
const listed = { MaxResults: wholeNumber(1, 60), NextToken: t.string }

/** Operations that read pools and clients. */
export const poolOperations: Operations = {
  ListUserPools: admin(
    fields({}, listed),
    async ({ pools, createdPools }, { MaxResults, NextToken }, _sdk, mayKnow) => {
      const known = pools.filter(mayKnow)
      const { items, next } = page(known, { Limit: MaxResults, NextToken }, ({ id }) => id)
      const wired = items.map(({ id, name }) => {
        const { created, modified } = createdPools.get(id) ?? {}
        return {
          Id: id,
          Name: name,
          ...(created !== undefined && { CreationDate: seconds(created) }),
          ...(modified !== undefined && { LastModifiedDate: seconds(modified) }),
        }
      })
      return { UserPools: wired, ...next }
    },
    'none',
  ),

  DescribeUserPool: admin(fields(pool, {}), async (engine, { UserPoolId }) => {
    const found = engine.poolOf(UserPoolId)
    const createdPool = engine.createdPools.get(found.id)
    const wired = createdPool === undefined ? wireConfiguredPool(found) : wireCreatedPool(engine, createdPool)
    return {
      UserPool: { ...wired, EstimatedNumberOfUsers: await engine.store.countUsers(found.id) },
    }
  }),

  ListUserPoolClients: admin(
    fields(pool, { ...listed, ClientType: t.keyof({ REGULAR: 0, DCR: 0 }) }),
    async (engine, { UserPoolId, MaxResults, NextToken, ClientType }) => {
      const owner = engine.poolOf(UserPoolId)
      const registered = ClientType === 'REGULAR' ? [] : await registeredClients(engine, owner)
      const all = [...(ClientType === 'DCR' ? [] : owner.clients), ...registered]
      const { items, next } = page(all, { Limit: MaxResults, NextToken }, ({ id }) => id)
      const wired = items.map(({ id, name }) => ({ ClientId: id, UserPoolId, ClientName: name }))
      return { UserPoolClients: wired, ...next }
    },
  ),

  DescribeUserPoolClient: admin(
    fields({ ...pool, ClientId: t.string }, {}),
    async (engine, { UserPoolId, ClientId }) => {
      const found = engine.poolOf(UserPoolId)
      const client = found.clients.find(({ id }) => id === ClientId)
      const registered = await storedRegistration(engine, found, ClientId)
      if (registered !== undefined) return { UserPoolClient: wireRegisteredClient(found, registered) }
      if (client === undefined)
        throw new UserPoolError('ResourceNotFoundException', `User pool client ${ClientId} does not exist.`)
      const createdPool = engine.createdPools.get(found.id)
      return {
        UserPoolClient:
          createdPool === undefined
            ? wireConfiguredClient(engine, found, client)
            : wireCreatedClient(engine, createdPool, clientOf(createdPool, client.id)),
      }
    },
  ),

  GetUserPoolMfaConfig: admin(fields(pool, {}), async (engine, { UserPoolId }) => {
    const found = engine.poolOf(UserPoolId)
    const createdPool = engine.createdPools.get(UserPoolId)
    return createdPool === undefined ? wireConfiguredMfa(found) : wireCreatedMfa(createdPool)
  }),
}
