import { matching } from '@signalbox/platform-runtime/config'
import * as t from 'io-ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { page } from '../../wire/page.ts'
import { admin, type Operations } from '../operation.ts'
import { addPart, partsOf, removePart, type ShownPart, shownPart, updatePart } from './pool-parts.ts'

const pool = { UserPoolId: t.string }
const listed = { MaxResults: wholeNumber(0, 60), NextToken: t.string }
const server = { ...pool, Identifier: t.string }

// A name with a blank would be several scopes in a token, one of which could be that of another resource server.
const newServer = {
  ...pool,
  Identifier: matching<string>(
    '1 to 256 characters of ASCII without blanks, quotes and backslashes',
    value => typeof value === 'string' && /^[!#-[\]-~]{1,256}$/.test(value),
  ),
}
const scopeName = matching<string>(
  '1 to 256 characters of ASCII without blanks, slashes, quotes and backslashes',
  value => typeof value === 'string' && /^[!#-.0-[\]-~]{1,256}$/.test(value),
)
const scopes = t.array(t.type({ ScopeName: scopeName, ScopeDescription: t.string }))

/** Operations on resource servers. They change only those of pools created through the API. */
export const resourceServerOperations: Operations = {
  CreateResourceServer: admin(
    fields({ ...newServer, Name: t.string }, { Scopes: scopes }),
    async (engine, { UserPoolId, Identifier, ...requested }) => {
      const taken = `${Identifier} already exists in user pool ${UserPoolId}.`
      const part = await addPart(engine, UserPoolId, 'resourceServers', Identifier, requested, () =>
        invalidParameter(taken),
      )
      return { ResourceServer: wireServer(UserPoolId, part) }
    },
  ),

  DescribeResourceServer: admin(fields(server, {}), async (engine, { UserPoolId, Identifier }) => ({
    ResourceServer: wireServer(UserPoolId, shownPart(engine, UserPoolId, 'resourceServers', Identifier)),
  })),

  UpdateResourceServer: admin(
    fields({ ...server, Name: t.string }, { Scopes: scopes }),
    async (engine, { UserPoolId, Identifier, ...requested }) => ({
      ResourceServer: wireServer(
        UserPoolId,
        await updatePart(engine, UserPoolId, 'resourceServers', Identifier, requested),
      ),
    }),
  ),

  DeleteResourceServer: admin(fields(server, {}), async (engine, { UserPoolId, Identifier }) => {
    await removePart(engine, UserPoolId, 'resourceServers', Identifier)
    return {}
  }),

  ListResourceServers: admin(fields(pool, listed), async (engine, { UserPoolId, MaxResults, NextToken }) => {
    const all = partsOf(engine, UserPoolId, 'resourceServers')
    const { items, next } = page(all, { Limit: MaxResults, NextToken }, ({ name }) => name)
    return { ResourceServers: items.map(each => wireServer(UserPoolId, each)), ...next }
  }),
}

function wireServer(UserPoolId: string, { name, requested }: ShownPart) {
  return { UserPoolId, Identifier: name, Name: requested.Name, Scopes: requested.Scopes }
}
