import { isPlainObject } from '@signalbox/codec/ready'
import { expectedInsteadOfClaim } from './fields/claim.ts'

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

/** Returns whether a value is a plain object of strings that sets only free claims. */
export function areFreeTexts(u: unknown): boolean {
  return areFree(u)
}

/** Returns whether a value is a plain object of values of claims that sets only free claims. */
export function areFreeClaims(u: unknown): boolean {
  return areFree(u, isClaimValue)
}

function areFree(u: unknown, isValue?: typeof isClaimValue): boolean {
  if (!isPlainObject(u)) return false
  for (const name in u) {
    const value = (u as Record<string, unknown>)[name]
    if (!(typeof value === 'string' || isValue?.(value)) || expectedInsteadOfClaim(name, 'set')) return false
  }
  return true
}

/** Returns whether a value is a list, with neither holes nor `toJSON`, of claims that an answer may suppress. */
export function areFreeNames(u: unknown): boolean {
  if (!Array.isArray(u) || 'toJSON' in u) return false
  for (let i = 0; i < u.length; i++)
    if (typeof u[i] !== 'string' || expectedInsteadOfClaim(u[i], 'suppress')) return false
  return true
}
