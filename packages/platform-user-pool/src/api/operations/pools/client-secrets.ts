import * as t from 'io-ts'
import type { StoredSecret } from '../../../config/user-pool-settings.ts'
import { storedSecrets } from '../../../created-pools/client-settings.ts'
import type { CreatedClient } from '../../../created-pools/created-pool.ts'
import {
  clientSecrets,
  derivedSecret,
  encryptedSecret,
  mostSecrets,
} from '../../../flows/sign-in/client-secrets.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { fields } from '../../wire/inputs.ts'
import { seconds } from '../../wire/wire-user.ts'
import { admin, type Operations } from '../operation.ts'
import { changeClient, clientOf, refuseBadSecret } from './created-clients.ts'
import { refuseConfigured } from './refuse-configured.ts'

const client = { UserPoolId: t.string, ClientId: t.string }

/** Operations that replace the secret of a client while the old one is still valid. */
export const clientSecretOperations: Operations = {
  AddUserPoolClientSecret: admin(
    fields(client, { ClientSecret: t.string }),
    async (engine, { UserPoolId, ClientId, ClientSecret: given }) => {
      refuseBadSecret(given)
      const { vault, clock } = engine
      const pool = { id: UserPoolId }
      const now = clock.now()
      let added: StoredSecret | undefined
      await changeClient(engine, UserPoolId, ClientId, before => {
        const secrets = storedSecrets(before)
        if (secrets.length === 0) throw invalidParameter('The app client has no client secret.')
        if (secrets.length >= mostSecrets)
          throw new UserPoolError('LimitExceededException', `A client has ${mostSecrets} secrets at most.`)
        const id = newSecretId(ClientId, now, secrets)
        added = {
          ...{ id, created: now },
          ...(given !== undefined && { encrypted: encryptedSecret(vault, pool, id, given) }),
        }
        return [{ ...before, modified: now, secrets: [...secrets, added] }]
      })
      const { id } = added!
      return {
        ClientSecretDescriptor: {
          ...wireSecret(added!),
          // A secret that the caller has chosen is not repeated.
          ...(given === undefined && { ClientSecretValue: derivedSecret(vault, pool, { id: ClientId }, id) }),
        },
      }
    },
  ),

  DeleteUserPoolClientSecret: admin(
    fields({ ...client, ClientSecretId: t.string }, {}),
    async (engine, { UserPoolId, ClientId, ClientSecretId }) => {
      await changeClient(engine, UserPoolId, ClientId, before => {
        const secrets = storedSecrets(before)
        const left = secrets.filter(({ id }) => id !== ClientSecretId)
        if (left.length === secrets.length)
          throw new UserPoolError('ResourceNotFoundException', 'Client secret does not exist.')
        if (left.length === 0) throw invalidParameter('The last secret of a client cannot be deleted.')
        return [{ ...before, modified: engine.clock.now(), secrets: left }]
      })
      return {}
    },
  ),

  ListUserPoolClientSecrets: admin(
    fields(client, { NextToken: t.string }),
    async (engine, { UserPoolId, ClientId }) => {
      if (engine.createdPools.get(UserPoolId) !== undefined) {
        const found = clientOf(refuseConfigured(engine, UserPoolId), ClientId)
        return { ClientSecrets: storedSecrets(found).map(wireSecret) }
      }
      const pool = engine.poolOf(UserPoolId)
      const found = pool.clients.find(({ id }) => id === ClientId)
      if (found === undefined)
        throw new UserPoolError('ResourceNotFoundException', `User pool client ${ClientId} does not exist.`)
      // The configuration says nothing about when a secret was made.
      const secrets = clientSecrets(engine.vault, pool, found)
      return { ClientSecrets: secrets.map((_, at) => ({ ClientSecretId: `${ClientId}--${at + 1}` })) }
    },
  ),
}

/** Returns an id such as the service's: the id of the client and the time. */
function newSecretId(client: CreatedClient['id'], now: number, others: readonly StoredSecret[]): string {
  for (let time = Math.floor(now); ; time++) {
    const id = `${client}--${time}`
    if (!others.some(each => each.id === id)) return id
  }
}

function wireSecret({ id, created }: StoredSecret) {
  return { ClientSecretId: id, ClientSecretCreateDate: seconds(created) }
}
