import * as t from 'io-ts'
import type { ClientSettings, PoolSettings } from '../../config/user-pool-settings.ts'
import { importRow } from '../../flows/accounts/csv-import.ts'
import { exportedUser, exportUsers, importUser } from '../../flows/accounts/transfer.ts'
import { contentsOf } from '../../flows/messages/messages.ts'
import { fields } from '../wire/inputs.ts'
import { seconds } from '../wire/wire-user.ts'
import { admin, type Operations } from './operation.ts'

const pool = { UserPoolId: t.string }

/** Operations that Cognito does not have. The command line uses them. */
export const extensionOperations: Operations = {
  ListPoolSettings: admin(
    fields({}, {}),
    async ({ pools, createdPools }, _input, _sdk, mayKnow) => ({
      Pools: pools.filter(mayKnow).map(each => shownPool(each, createdPools.get(each.id) === undefined)),
    }),
    'none',
  ),

  ListMessages: admin(fields(pool, { Limit: t.number }), async (engine, { UserPoolId, Limit = 60 }) => {
    const { id } = engine.poolOf(UserPoolId)
    const messages = await engine.store.messages(id)
    return {
      Messages: messages.slice(0, Limit).map(message => {
        const { subject, text } = contentsOf(engine, { id }, message) ?? {}
        return {
          To: message.to,
          Medium: message.medium,
          Occasion: message.occasion,
          State: message.state,
          Subject: subject,
          Text: text,
          CreationDate: seconds(message.created),
        }
      }),
    }
  }),

  ExportUsers: admin(fields(pool, { NextToken: t.string }), async (engine, { UserPoolId, NextToken }) => {
    const { users, next } = await exportUsers(engine, engine.poolOf(UserPoolId), NextToken)
    return { Users: users, ...(next !== undefined && { NextToken: next }) }
  }),

  ImportUsers: admin(
    fields({ ...pool, Users: t.array(exportedUser) }, { Foreign: t.boolean }),
    async (engine, { UserPoolId, Users, Foreign }) => {
      const found = engine.poolOf(UserPoolId)
      const Results: object[] = []
      for (const user of Users) Results.push(await importUser(engine, found, user, Foreign))
      return { Results }
    },
  ),

  ImportUserRows: admin(
    fields({ ...pool, Rows: t.array(t.record(t.string, t.string)) }, {}),
    async (engine, { UserPoolId, Rows }) => {
      const found = engine.poolOf(UserPoolId)
      const Results: object[] = []
      for (const row of Rows) Results.push(await importRow(engine, found, row))
      return { Results }
    },
  ),

  RotateSigningKeys: admin(fields(pool, {}), async (engine, { UserPoolId }) => ({
    KeyIds: await engine.keys.rotate(engine.poolOf(UserPoolId)),
  })),
}

/** What commands know about a pool, whether it is configured or was created through the API. */
export interface ShownPool extends Pick<PoolSettings, 'name' | 'id' | 'signIn'> {
  /** The names of the custom attributes, without their prefix. */
  readonly custom: readonly string[]
  readonly clients: readonly ShownClient[]
  readonly isConfigured: boolean
}

/** What commands know about a client. */
export interface ShownClient extends Pick<ClientSettings, 'name' | 'id' | 'flows'> {
  readonly hasSecret: boolean
}

function shownPool({ name, id, signIn, custom, clients }: PoolSettings, isConfigured: boolean): ShownPool {
  return {
    isConfigured,
    name,
    id,
    signIn,
    custom: Object.keys(custom),
    clients: clients.map(client => ({
      name: client.name,
      id: client.id,
      flows: client.flows,
      hasSecret: client.secret !== false,
    })),
  }
}
