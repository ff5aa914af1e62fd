/** The attribute that says which providers vouch for an account. The pool alone writes it. */
export const identitiesAttribute = 'identities'

/** A provider's account behind one of ours. */
export interface Identity {
  /** The provider's name for the user: the claim `sub`. */
  readonly userId: string
  readonly providerName: string
  readonly providerType: string
  readonly issuer: string | null
  readonly primary: 'true'
  /** Milliseconds since the epoch. */
  readonly dateCreated: string
}

/** The value of the attribute. */
export function identitiesText(identity: Identity): string {
  return JSON.stringify([identity])
}

/** The accounts of providers behind an account. */
export function identitiesOf(attributes: { readonly [name: string]: string }): readonly Identity[] {
  const text = attributes[identitiesAttribute]
  return text === undefined ? [] : JSON.parse(text)
}
