import type { Change, Refusal } from '../user-pool-store.ts'
import type { countRows } from './count-rows.ts'
import type { credentialRows } from './credential-rows.ts'
import type { groupRows } from './group-rows.ts'
import type { messageRows } from './message-rows.ts'
import type { userRows } from './user-rows.ts'

/** The tables that a change can affect. */
interface Tables {
  readonly users: ReturnType<typeof userRows>
  readonly credentials: ReturnType<typeof credentialRows>
  readonly counts: ReturnType<typeof countRows>
  readonly groups: ReturnType<typeof groupRows>
  readonly messages: ReturnType<typeof messageRows>
}

/**
 * Returns a function that makes a change in a transaction. All conditions of the change are checked before anything is
 * written.
 */
export function changes(tables: Tables): (change: Change) => Refusal | undefined {
  return change => {
    const refusal = refusalOf(tables, change)
    if (refusal === undefined) write(tables, change)
    return refusal
  }
}

function refusalOf({ users, credentials, counts, groups }: Tables, change: Change): Refusal | undefined {
  const { pool, now, users: changed = [], removedUser, uses = [], adds = [], attempt, group, member } = change
  const { unchanged, needs = [], lacks = [] } = change
  if (attempt !== undefined && counts.isLocked(pool, attempt.key, now)) return 'locked'
  for (const { kind, id, value } of uses) {
    const found = credentials.get(pool, kind, id, now)
    if (found === undefined || (value !== undefined && found.value !== value)) return 'gone'
  }
  for (const { kind, id } of needs) if (credentials.get(pool, kind, id, now) === undefined) return 'gone'
  for (const { kind, id } of [...lacks, ...adds])
    if (credentials.get(pool, kind, id, now) !== undefined) return 'gone'
  if (unchanged !== undefined && users.revision(pool, unchanged.id) !== unchanged.was) return 'changed'
  if (removedUser !== undefined && users.revision(pool, removedUser.id) !== removedUser.was) return 'changed'
  for (const { user, was } of changed) if (users.revision(pool, user.id) !== was) return 'changed'
  const own = new Set(changed.map(({ user }) => user.id))
  for (const { user } of changed)
    for (const name of user.signInNames) {
      const owner = users.owner(pool, name)
      if (owner !== undefined && !own.has(owner)) return 'name taken'
    }
  if (group !== undefined && groups.has(pool, group.group.name) === group.isNew)
    return group.isNew ? 'group taken' : 'changed'
  if (change.removedGroup !== undefined && !groups.has(pool, change.removedGroup)) return 'changed'
  if (member?.isIn && !(groups.has(pool, member.group) && users.revision(pool, member.user) !== undefined))
    return 'changed'
  return undefined
}

function write({ users, credentials, counts, groups, messages }: Tables, change: Change): void {
  const { pool, now, users: changed = [], removedUser, attempt, group, member } = change
  for (const { kind, id } of change.uses ?? []) credentials.remove(pool, kind, id)
  for (const end of change.ends ?? []) {
    if ('id' in end) credentials.remove(pool, end.kind, end.id)
    else for (const kind of end.kinds) credentials.removeOf(pool, end.user, kind)
  }
  const added = [...(change.adds ?? []), ...(change.puts ?? [])]
  if (added.length > 0) credentials.clean(now)
  for (const credential of added) credentials.put(pool, credential)
  // Names are freed first, because a name can move from one account to another in the same change.
  for (const { user } of changed) users.freeNames(pool, user.id)
  for (const { user } of changed) users.write(pool, user)
  for (const { user, groups: joined = [] } of changed)
    for (const name of joined) if (groups.has(pool, name)) groups.join(pool, user.id, name)
  if (removedUser !== undefined) {
    const { id } = removedUser
    users.freeNames(pool, id)
    users.remove(pool, id)
    credentials.removeAllOf(pool, id)
    groups.leaveAll(pool, id)
    messages.removeOf(pool, id)
  }
  for (const message of change.messages ?? []) messages.add(pool, message)
  if (attempt?.isRight === true) counts.right(pool, attempt.key)
  if (attempt?.isRight === false) counts.wrong(pool, attempt.key, now)
  if (group !== undefined) groups.put(pool, group.group)
  if (change.removedGroup !== undefined) groups.remove(pool, change.removedGroup)
  if (member?.isIn === true) groups.join(pool, member.user, member.group)
  if (member?.isIn === false) groups.leave(pool, member.user, member.group)
}
