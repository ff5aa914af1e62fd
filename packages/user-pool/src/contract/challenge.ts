import { extension, type Field, object, optional, required } from './field.ts'
import { flag, list, openText, text } from './shape.ts'

/** Names of challenges: those that the contract shows, and those that it does not. */
export const challengeNames = {
  contract: ['SRP_A', 'PASSWORD_VERIFIER', 'CUSTOM_CHALLENGE'],
  extension: ['SMS_MFA', 'DEVICE_SRP_AUTH', 'DEVICE_PASSWORD_VERIFIER', 'ADMIN_NO_SRP_AUTH'],
} as const

/** A challenge name; the known ones are offered by editors, and others are possible. */
export type ChallengeName = (typeof challengeNames)['contract' | 'extension'][number] | (string & {})

/** One challenge that was put and answered (contract A.2, define auth challenge). */
const sessionItem = object('challenge', {
  /** Name of the challenge. */
  challengeName: required(openText<ChallengeName>()),
  /** Whether the challenge was answered correctly. */
  challengeResult: required(flag),
  /** What the create trigger said about the challenge. */
  challengeMetadata: optional(text),
})

/** The challenges so far, oldest first; empty at the start of a flow without SRP. */
export const session = list(sessionItem)

/** Present when the pool hides whether users exist, so absent from many events. */
export const userNotFound: Field<boolean, false, false> = optional(flag)

/** What ties a challenge to its answer; some name of the challenge. Extension. */
export const challengeMetadata = extension(optional(text))
