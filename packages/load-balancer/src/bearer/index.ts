export { type Bearer, type BearerOptions, bearer } from './bearer.ts'
export type { VerifiedClaims } from './verified-claims.ts'
