import type { ClaimValue } from './claim.ts'
import type { Shape } from './shape.ts'

/** Claims of a version 2 or 3 answer: any JSON except null. Extension. */
export const claimMap: Shape<{ readonly [name: string]: ClaimValue }> = { kind: 'claim-map' }
