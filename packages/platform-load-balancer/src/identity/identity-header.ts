/** The header with the id of the user who has signed in. */
export const userHeader = 'x-cloud-oidc-identity'

/**
 * Returns whether a header in small letters is one by which load balancers say who has signed in. An underscore counts as a
 * hyphen, because what runs behind a function, such as CGI and WSGI, reads both as the same name.
 */
export function isIdentityHeader(name: string): boolean {
  return /^x[-_](?:cloud|amzn)[-_]oidc[-_]/.test(name)
}
