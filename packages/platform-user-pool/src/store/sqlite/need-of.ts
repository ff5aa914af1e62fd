import type { Need } from '@signalbox/platform-runtime/storage'
import type { Change, User } from '../user-pool-store.ts'
import type { userRows } from './user-rows.ts'

/**
 * Returns what a change needs of the disk. Anyone may sign up, so new accounts leave the most space. What users and
 * clients can add leaves less. A change that takes rights away, or confirms or deletes something, is essential.
 */
export function needOf(change: Change, users: Pick<ReturnType<typeof userRows>, 'get'>): Need {
  const { pool, adds = [], puts = [], messages = [], attempt, group, member } = change
  const grown = (change.users ?? []).map(({ user, was }) =>
    was === undefined ? sizeOf(user) : sizeOf(user) - sizeOf(users.get(pool, user.id)),
  )
  const texts = [...adds, ...puts].map(({ value }) => value).concat(messages.map(({ contents }) => contents))
  const bytes = [...grown.filter(size => size > 0), ...texts.map(({ length }) => length)]
  const added = { bytes: bytes.reduce((sum, size) => sum + size, 0) }
  if (change.users?.some(({ was }) => was === undefined)) return { kind: 'anonymous', ...added }
  if (bytes.length > 0 || attempt?.isRight === false) return { kind: 'session', ...added }
  if (group !== undefined || member?.isIn === true) return added
  return 'essential'
}

/** Returns the approximate size of what a user can add to an account. A verified address adds nothing. */
function sizeOf(user: User | undefined): number {
  const { attributes = {}, password = '', factors } = user ?? {}
  const texts = Object.entries(attributes).filter(([name]) => !name.endsWith('_verified'))
  return texts.flat().join('').length + password.length + JSON.stringify(factors ?? '').length
}
