import type { TokenGeneration } from '../../contenders/token-generation/by-hand.ts'

/** What functions without a router do: the schema says which trigger sources there are. */
export function route(event: TokenGeneration): TokenGeneration {
  event.response = { claimsOverrideDetails: { claimsToSuppress: ['email'] } }
  return event
}
