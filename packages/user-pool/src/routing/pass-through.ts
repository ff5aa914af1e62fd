/**
 * A route that leaves the event unchanged. When used as `otherwise`, it lets sources without a route succeed, unless
 * the contract requires an answer to them.
 *
 * @example
 * userPool({ PreSignUp: signUp, otherwise: passThrough })
 */
export function passThrough(): undefined {
  return undefined
}
