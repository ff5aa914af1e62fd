import type { TokenGeneration } from '../../contenders/token-generation/by-hand.ts'

/**
 * Handles an event in functions without a router. The schemas of these functions accept only the supported trigger
 * sources.
 */
export function route(event: TokenGeneration): TokenGeneration {
  event.response = { claimsOverrideDetails: { claimsToSuppress: ['email'] } }
  return event
}
