import type { ClaimValue } from './claim.ts'
import type { Shape } from './shape.ts'

/** The claims of a version 2 or 3 answer: any JSON except null. The contract does not define them. */
export const claimMap: Shape<{ readonly [name: string]: ClaimValue }> = { kind: 'claim-map' }
