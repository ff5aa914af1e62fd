/** The OpenID Connect scopes that pools support. */
export const identityScopes: readonly string[] = ['openid', 'email', 'phone', 'profile']
