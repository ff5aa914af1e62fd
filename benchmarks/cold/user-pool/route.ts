import type { TokenGeneration } from '../../contenders/token-generation/by-hand.ts'

/** Does the work of functions without a router. The schema lists the trigger sources. */
export function route(event: TokenGeneration): TokenGeneration {
  event.response = { claimsOverrideDetails: { claimsToSuppress: ['email'] } }
  return event
}
