/**
 * The route that lets an event through as it came: for `otherwise`, when sources without a route shall not fail.
 * An answer that the contract requires is still required.
 */
export function passThrough(): undefined {
  return undefined
}
