import { factorChallenges } from '../../flows/factors/second-factors.ts'
import type { User } from '../../store/user-pool-store.ts'
import type { WireAttribute } from '../../users/attributes.ts'

/** Returns the attributes of an account as clients see them. */
export function wireAttributes(user: User): readonly WireAttribute[] {
  const all = { sub: user.id, ...user.attributes }
  return Object.entries(all).map(([Name, Value]) => ({ Name, Value }))
}

/** Returns an account as administrators see it. */
export function wireUser(user: User) {
  return {
    Username: user.name,
    Attributes: wireAttributes(user),
    UserCreateDate: seconds(user.created),
    UserLastModifiedDate: seconds(user.modified),
    Enabled: user.enabled,
    UserStatus: user.status,
  }
}

/** Returns the second factors of an account as clients see them. */
export function wireFactors({ factors }: Pick<User, 'factors'>) {
  const { enabled = [], preferred } = factors ?? {}
  return {
    ...(preferred !== undefined && { PreferredMfaSetting: factorChallenges[preferred] }),
    ...(enabled.length > 0 && { UserMFASettingList: enabled.map(each => factorChallenges[each]) }),
  }
}

/** Converts milliseconds to seconds, the unit of the protocol. */
export function seconds(milliseconds: number): number {
  return milliseconds / 1000
}
