import type { ClientSettings, PoolSettings } from '../config/user-pool-settings.ts'
import type { User } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { type Attributes, invalidParameter } from './attributes.ts'

/**
 * Checks that users may write these attributes through the client.
 * @param client undefined for an administrator, who may write every attribute
 * @throws UserPoolError for an attribute that users may not write through the client
 */
export function refuseUnwritable(client: ClientSettings | undefined, names: readonly string[]): void {
  const name = names.find(each => client?.write?.includes(each) === false)
  if (name === undefined) return
  throw new UserPoolError(
    'NotAuthorizedException',
    `A client attempted to write unauthorized attribute ${name}`,
  )
}

/**
 * Returns the attributes that users may read through a client.
 * @param client undefined for an administrator
 */
export function readableAttributes(
  client: Pick<ClientSettings, 'read'> | undefined,
  { attributes }: Pick<User, 'attributes'>,
): Attributes {
  const names = client?.read
  if (names === undefined) return attributes
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => names.includes(name)))
}

/**
 * Checks that these attributes can be changed.
 * @throws UserPoolError for an immutable attribute
 */
export function refuseImmutable({ rules }: PoolSettings, names: readonly string[]): void {
  const fixed = names.filter(name => rules[name]?.mutable === false)
  if (fixed.length === 0) return
  throw invalidParameter(fixed.map(name => `user.${name}: Attribute cannot be updated.\n`).join(''))
}
