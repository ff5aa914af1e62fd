import { extension, type Field, object, optional, required } from './field.ts'
import { flag, list, openText, text } from './shape.ts'

/** The names of challenges: those in the contract, and those that Signalbox adds. */
export const challengeNames = {
  contract: ['SRP_A', 'PASSWORD_VERIFIER', 'CUSTOM_CHALLENGE'],
  extension: ['SMS_MFA', 'DEVICE_SRP_AUTH', 'DEVICE_PASSWORD_VERIFIER', 'ADMIN_NO_SRP_AUTH'],
} as const

/** The name of a challenge. Editors suggest the known names, but other names are possible. */
export type ChallengeName = (typeof challengeNames)['contract' | 'extension'][number] | (string & {})

/** A challenge with its result (docs/contract/user-pool.md#define-auth-challenge). */
const sessionItem = object('challenge', {
  /** Name of the challenge. */
  challengeName: required(openText<ChallengeName>()),
  /** Whether the challenge was answered correctly. */
  challengeResult: required(flag),
  /** The metadata that the create trigger set for the challenge. */
  challengeMetadata: optional(text),
})

/** The challenges so far, oldest first. The list is empty at the start of a flow without SRP. */
export const session = list(sessionItem)

/** Present only when the pool hides whether a user exists. */
export const userNotFound: Field<boolean, false, false> = optional(flag)

/** A name for the challenge, which appears in later sessions. The contract does not mention it. */
export const challengeMetadata = extension(optional(text))
