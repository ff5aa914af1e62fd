/** The scopes of OpenID Connect. */
export const identityScopes: readonly string[] = ['openid', 'email', 'phone', 'profile']
