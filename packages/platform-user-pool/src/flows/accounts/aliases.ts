import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import type { Change, User } from '../../store/user-pool-store.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { findUser, normalized, withAttributes } from '../../users/attributes.ts'

/**
 * Returns the changes that give an account its verified aliases and take these aliases from other accounts.
 * @param mayTake whether an alias may be taken from another account
 * @throws UserPoolError when another account has an alias that must not be taken
 */
export async function takenAliases(
  { store, clock }: EngineContext,
  pool: PoolSettings,
  user: User,
  mayTake: boolean,
): Promise<NonNullable<Change['users']>> {
  const owners: NonNullable<Change['users']>[number][] = []
  for (const name of user.signInNames) {
    const owner = await findUser(store, pool, name)
    if (owner === undefined || owner.id === user.id) continue
    const attribute = (['email', 'phone_number'] as const).find(
      each => normalized(owner.attributes[each] ?? '') === name,
    )
    const isAlias = pool.signIn.includes('name') && normalized(owner.name) !== name
    if (attribute === undefined || !isAlias || !mayTake) throw aliasExists(attribute)
    const { revision, ...before } = owner
    const without = withAttributes(pool, before, { [`${attribute}_verified`]: 'false' })
    owners.push({ user: { ...without, modified: clock.now() }, was: revision })
  }
  return owners
}

function aliasExists(attribute: 'email' | 'phone_number' | undefined): UserPoolError {
  const what = attribute === undefined ? 'name' : attribute === 'email' ? 'email' : 'phone number'
  return new UserPoolError('AliasExistsException', `An account with the given ${what} already exists.`)
}
