/** Claims by name, as a provider sent them. */
export interface Claims {
  readonly [name: string]: unknown
}

const suffix = '_verified'

/**
 * Merges the claims of an identity token and a userinfo response. If both have a claim, the first document counts. What
 * a document says about verification counts only for the value that it has itself: a verified address in one document
 * does not verify another address in the other.
 */
export function mergedClaims(...documents: readonly Claims[]): Claims {
  // A claim can have any name, even `__proto__`, which an assignment would not copy.
  const claims: Claims = Object.fromEntries(documents.toReversed().flatMap(each => Object.entries(each)))
  return Object.fromEntries(
    Object.entries(claims).flatMap(([name, value]) => {
      if (!name.endsWith(suffix)) return [[name, value]]
      const about = name.slice(0, -suffix.length)
      const speaks = documents.find(each => Object.hasOwn(each, name) && each[about] === claims[about])
      return speaks === undefined ? [] : [[name, speaks[name]]]
    }),
  )
}

/**
 * Returns whether a claim such as `email_verified` says that an address is verified. OpenID Connect has the JSON value
 * true there. Apple, and the userinfo endpoint of Cognito, send the text `true`. Nothing else counts.
 */
export function saysVerified(value: unknown): boolean {
  return value === true || value === 'true'
}

/** The claims that users can set at a provider before it has verified them. */
const addresses = ['email', 'phone_number']

/** Returns whether a claim can identify a user. An address needs verification by the provider. */
export function isProved(claims: Claims, claim: string): boolean {
  const verification = claims[`${claim}${suffix}`]
  return saysVerified(verification) || (verification === undefined && !addresses.includes(claim))
}
