import * as t from 'io-ts'
import { updatedFields } from '../../../created-pools/omitted-fields.ts'
import type { Engine } from '../../../engine.ts'
import { apply } from '../../../flows/apply.ts'
import type { Group } from '../../../store/user-pool-store.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { fields, newName, textOf, wholeNumber } from '../../wire/inputs.ts'
import { page, pageFields, pageSize } from '../../wire/page.ts'
import { seconds, wireUser } from '../../wire/wire-user.ts'
import { admin, type Operations } from '../operation.ts'
import { accountOf } from './admin-users.ts'

const pool = { UserPoolId: t.string }
const group = { ...pool, GroupName: t.string }
const about = { Description: textOf(2048), Precedence: wholeNumber(0, 2 ** 31 - 1), RoleArn: t.string }

/** Operations that administrators use to manage groups. */
export const groupOperations: Operations = {
  CreateGroup: admin(fields({ ...pool, GroupName: newName }, about), async (engine, input) => {
    const { id } = engine.poolOf(input.UserPoolId)
    const now = engine.clock.now()
    const created: Group = {
      name: input.GroupName,
      description: input.Description,
      precedence: input.Precedence,
      role: input.RoleArn,
      created: now,
      modified: now,
    }
    await apply(engine, { pool: id, now, group: { group: created, isNew: true } })
    return { Group: wireGroup(id, created) }
  }),

  GetGroup: admin(fields(group, {}), async (engine, input) => ({
    Group: wireGroup(input.UserPoolId, await groupNamed(engine, input)),
  })),

  UpdateGroup: admin(fields(group, about), async (engine, input) => {
    const found = await groupNamed(engine, input)
    const now = engine.clock.now()
    const updated = updatedFields('UpdateGroup', aboutGroup(found), input)
    const { Description: description, Precedence: precedence, RoleArn: role } = updated
    const changed: Group = { ...found, description, precedence, role, modified: now }
    await apply(engine, { pool: input.UserPoolId, now, group: { group: changed, isNew: false } })
    return { Group: wireGroup(input.UserPoolId, changed) }
  }),

  DeleteGroup: admin(fields(group, {}), async (engine, input) => {
    await groupNamed(engine, input)
    await apply(engine, { pool: input.UserPoolId, now: engine.clock.now(), removedGroup: input.GroupName })
    return {}
  }),

  ListGroups: admin(fields(pool, pageFields), async (engine, input) => {
    const { id } = engine.poolOf(input.UserPoolId)
    const { items, next } = page(await engine.store.groups(id), input, each => each.name)
    return { Groups: items.map(each => wireGroup(id, each)), ...next }
  }),

  AdminAddUserToGroup: admin(fields({ ...group, Username: t.string }, {}), (engine, input, sdk) =>
    member(engine, input, sdk, true),
  ),

  AdminRemoveUserFromGroup: admin(fields({ ...group, Username: t.string }, {}), (engine, input, sdk) =>
    member(engine, input, sdk, false),
  ),

  AdminListGroupsForUser: admin(
    fields({ ...pool, Username: t.string }, pageFields),
    async (engine, input, sdk) => {
      const { user, caller } = await accountOf(engine, input, sdk)
      const all = await engine.store.groupsOf(caller.pool.id, user.id)
      const { items, next } = page(all, input, each => each.name)
      return { Groups: items.map(each => wireGroup(caller.pool.id, each)), ...next }
    },
  ),

  ListUsersInGroup: admin(fields(group, pageFields), async (engine, input) => {
    await groupNamed(engine, input)
    const limit = pageSize(input.Limit)
    const users = await engine.store.users(input.UserPoolId, {
      limit: limit + 1,
      after: input.NextToken,
      group: input.GroupName,
    })
    const members = users.slice(0, limit)
    return { Users: members.map(wireUser), ...(users.length > limit && { NextToken: members.at(-1)!.name }) }
  }),
}

async function groupNamed(
  engine: Engine,
  { UserPoolId, GroupName }: { readonly UserPoolId: string; readonly GroupName: string },
): Promise<Group> {
  const { id } = engine.poolOf(UserPoolId)
  const found = (await engine.store.groups(id)).find(({ name }) => name === GroupName)
  if (found === undefined) throw new UserPoolError('ResourceNotFoundException', 'Group not found.')
  return found
}

async function member(
  engine: Engine,
  input: { readonly UserPoolId: string; readonly GroupName: string; readonly Username: string },
  sdk: string,
  isIn: boolean,
): Promise<object> {
  await groupNamed(engine, input)
  const { user, caller } = await accountOf(engine, input, sdk)
  await apply(engine, {
    pool: caller.pool.id,
    now: engine.clock.now(),
    member: { user: user.id, group: input.GroupName, isIn },
  })
  return {}
}

function aboutGroup({ description, precedence, role }: Group) {
  return { Description: description, Precedence: precedence, RoleArn: role }
}

function wireGroup(UserPoolId: string, group: Group) {
  return {
    GroupName: group.name,
    UserPoolId,
    ...aboutGroup(group),
    CreationDate: seconds(group.created),
    LastModifiedDate: seconds(group.modified),
  }
}
