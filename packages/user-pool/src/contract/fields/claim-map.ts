import { anything, map, where } from '@signalbox/codec/wire'
import type { ClaimValue } from './claim.ts'
import { isPlainObject } from './plain-object.ts'
import type { Shape } from './shape.ts'

// Deeper than any token. The limit stops at cycles.
const deepest = 32

const claimValue = where(anything, u => isClaimValue(u, 0), 'JSON without null')

function isClaimValue(u: unknown, depth: number): boolean {
  if (typeof u === 'string' || typeof u === 'boolean') return true
  if (typeof u === 'number') return Number.isFinite(u)
  if (depth === deepest) return false
  const isMember = (member: unknown) => isClaimValue(member, depth + 1)
  // A copy, because `every` skips the holes of an array.
  if (Array.isArray(u)) return !('toJSON' in u) && [...u].every(isMember)
  return isPlainObject(u) && Object.values(u).every(isMember)
}

/** Claims of a version 2 or 3 answer: any JSON except null. Extension. */
export const claimMap: Shape<{ readonly [name: string]: ClaimValue }> = {
  kind: 'claim-map',
  codec: map(claimValue, 'map of string to JSON'),
}
