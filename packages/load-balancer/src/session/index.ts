export { type SealedSession, type SealedSessionOptions, sealedSession } from './sealed-session.ts'
