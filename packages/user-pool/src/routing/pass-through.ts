/**
 * Returns a route that returns the event unchanged. As `otherwise`, it lets sources without a route succeed. An
 * answer that the contract requires is still required.
 *
 * @example
 * userPool({ PreSignUp: signUp, otherwise: passThrough })
 */
export function passThrough(): undefined {
  return undefined
}
