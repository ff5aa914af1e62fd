import { isPlainObject } from '@signalbox/codec/ready'

// The maximum depth of nested values in a claim. No real token is nested so deeply. The limit also ends
// the check of a value that contains itself.
const deepest = 32

/** Returns whether a value may be a claim: any JSON except null. */
export function isClaimValue(u: unknown): boolean {
  return isClaim(u, 0)
}

function isClaim(u: unknown, depth: number): boolean {
  if (typeof u === 'string' || typeof u === 'boolean') return true
  if (typeof u === 'number') return Number.isFinite(u)
  if (depth === deepest) return false
  const isMember = (member: unknown) => isClaim(member, depth + 1)
  // The array is copied, because `every` would skip holes in the original.
  if (Array.isArray(u)) return !('toJSON' in u) && [...u].every(isMember)
  return isPlainObject(u) && Object.values(u).every(isMember)
}
