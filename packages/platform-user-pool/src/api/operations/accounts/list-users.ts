import * as t from 'io-ts'
import { fields, wholeNumber } from '../../wire/inputs.ts'
import { pageSize } from '../../wire/page.ts'
import { wireUser } from '../../wire/wire-user.ts'
import { admin, type Operations } from '../operation.ts'
import { filterOf } from './user-filter.ts'

const pool = { UserPoolId: t.string }

/** The operation that lists the users of a pool. */
export const listUsersOperations: Operations = {
  ListUsers: admin(
    fields(pool, {
      AttributesToGet: t.array(t.string),
      Limit: wholeNumber(0, 60),
      PaginationToken: t.string,
      Filter: t.string,
    }),
    async (engine, { UserPoolId, AttributesToGet, Limit, PaginationToken, Filter }) => {
      const size = pageSize(Limit)
      const { id } = engine.poolOf(UserPoolId)
      const users = await engine.store.users(id, {
        limit: size + 1,
        after: PaginationToken,
        filter: filterOf(Filter),
      })
      const wired = users.slice(0, size).map(user => {
        const { Attributes, ...rest } = wireUser(user)
        const wanted = AttributesToGet ?? []
        return {
          ...rest,
          Attributes: Attributes.filter(({ Name }) => wanted.length === 0 || wanted.includes(Name)),
        }
      })
      return { Users: wired, ...(users.length > size && { PaginationToken: wired.at(-1)!.Username }) }
    },
  ),
}
