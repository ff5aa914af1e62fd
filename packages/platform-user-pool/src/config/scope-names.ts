/** The OpenID Connect scopes that pools support. */
export const identityScopes: readonly string[] = ['openid', 'email', 'phone', 'profile']

/** The scope of tokens from a sign-in through the API. Users need it to manage their own accounts. */
export const ownScope = 'aws.cognito.signin.user.admin'
