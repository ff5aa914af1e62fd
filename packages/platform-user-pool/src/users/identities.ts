/** The attribute that lists an account's identities at external providers. Only the pool writes it. */
export const identitiesAttribute = 'identities'

/** An account at an external provider that belongs to an account of the pool. */
export interface Identity {
  /** The user's id at the provider, which is the claim `sub`. */
  readonly userId: string
  readonly providerName: string
  readonly providerType: string
  readonly issuer: string | null
  /**
   * Whether the account was created for this identity. If not, an administrator has linked the identity to the account.
   */
  readonly primary: 'true' | 'false'
  /** The time in milliseconds since the epoch. */
  readonly dateCreated: string
}

/** Returns the value of the attribute `identities` for an account that has this identity. */
export function identitiesText(identity: Identity): string {
  return JSON.stringify([identity])
}

/** Returns the identities that an account has at external providers. */
export function identitiesOf(attributes: { readonly [name: string]: string }): readonly Identity[] {
  const text = attributes[identitiesAttribute]
  return text === undefined ? [] : JSON.parse(text)
}
