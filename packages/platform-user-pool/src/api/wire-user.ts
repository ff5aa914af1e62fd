import type { WireAttribute } from '../flows/accounts.ts'
import type { User } from '../store/user-pool-store.ts'

/** The attributes of an account as clients read them. */
export function wireAttributes(user: User): readonly WireAttribute[] {
  const all = { sub: user.id, ...user.attributes }
  return Object.entries(all).map(([Name, Value]) => ({ Name, Value }))
}
