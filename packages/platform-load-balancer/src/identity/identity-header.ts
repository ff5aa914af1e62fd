/** Returns whether a header in small letters is one by which load balancers say who has signed in. */
export function isIdentityHeader(name: string): boolean {
  return /^x-(?:cloud|amzn)-oidc-/.test(name)
}
