import type { ClientCaller, Metadata } from '../../../context/engine-context.ts'
import type { Engine } from '../../../engine.ts'
import {
  answerCode,
  answerDeviceProof,
  answerDeviceSrp,
  answerFactorChoice,
  answerSetup,
} from '../../../flows/factors/answer-factors.ts'
import { credentialIn } from '../../../flows/factors/web-authn.ts'
import { answerChoice } from '../../../flows/sign-in/choice-sign-in.ts'
import { answerCustom } from '../../../flows/sign-in/custom-auth.ts'
import { answerNewPassword } from '../../../flows/sign-in/new-password.ts'
import { answerPasskey } from '../../../flows/sign-in/passkey-sign-in.ts'
import { refuseWrongSecretHash } from '../../../flows/sign-in/secret-hash.ts'
import { proveBySrp } from '../../../flows/sign-in/srp-sign-in.ts'
import { invalidParameter, readAttributes } from '../../../users/attributes.ts'
import { wireSignInResult } from '../../wire/wire-sign-in-result.ts'
import { choiceOf, required } from './auth-parameters.ts'

interface Respond {
  readonly ChallengeName: string
  readonly ChallengeResponses?: Metadata
  readonly ClientMetadata?: Metadata
  readonly Session?: string
}

/** Continues a sign-in with the response to its current challenge. */
export async function respondToAuthChallenge(
  engine: Engine,
  caller: ClientCaller,
  input: Respond,
): Promise<object> {
  const { ChallengeResponses: answers = {}, ClientMetadata: clientMetadata = {}, Session: session } = input
  const name = required(answers.USERNAME, 'USERNAME')
  refuseWrongSecretHash(engine.vault, caller.pool, caller.client, [name], answers.SECRET_HASH)
  switch (input.ChallengeName) {
    case 'PASSWORD_VERIFIER':
      return wireSignInResult(
        await proveBySrp(engine, caller, { ...proofOf(answers), device: answers.DEVICE_KEY }, clientMetadata),
      )
    case 'SOFTWARE_TOKEN_MFA':
    case 'SMS_MFA':
    case 'SMS_OTP':
    case 'EMAIL_OTP': {
      const field = `${input.ChallengeName}_CODE`
      const code = required(answers[field], field)
      const { ChallengeName: challenge } = input
      return wireSignInResult(
        await answerCode(engine, caller, challenge, session, code, answers.DEVICE_KEY, clientMetadata),
      )
    }
    case 'SELECT_MFA_TYPE':
      return wireSignInResult(
        await answerFactorChoice(engine, caller, session, required(answers.ANSWER, 'ANSWER'), clientMetadata),
      )
    case 'MFA_SETUP':
      return wireSignInResult(await answerSetup(engine, caller, session, clientMetadata))
    case 'DEVICE_SRP_AUTH': {
      const key = required(answers.DEVICE_KEY, 'DEVICE_KEY')
      return wireSignInResult(
        await answerDeviceSrp(engine, caller, session, key, required(answers.SRP_A, 'SRP_A')),
      )
    }
    case 'DEVICE_PASSWORD_VERIFIER':
      return wireSignInResult(
        await answerDeviceProof(engine, caller, session, proofOf(answers), clientMetadata),
      )
    case 'SELECT_CHALLENGE':
      return wireSignInResult(
        await answerChoice(
          engine,
          caller,
          session,
          choiceOf(required(answers.ANSWER, 'ANSWER'), answers),
          clientMetadata,
        ),
      )
    case 'WEB_AUTHN': {
      const proof = credentialIn(required(answers.CREDENTIAL, 'CREDENTIAL'))
      return wireSignInResult(
        await answerPasskey(engine, caller, session, proof, answers.DEVICE_KEY, clientMetadata),
      )
    }
    case 'CUSTOM_CHALLENGE':
      return wireSignInResult(
        await answerCustom(engine, caller, session, required(answers.ANSWER, 'ANSWER'), clientMetadata),
      )
    case 'NEW_PASSWORD_REQUIRED': {
      const attributes = Object.entries(answers).flatMap(([key, Value]) =>
        key.startsWith('userAttributes.') ? [{ Name: key.slice('userAttributes.'.length), Value }] : [],
      )
      return wireSignInResult(
        await answerNewPassword(
          engine,
          caller,
          session,
          required(answers.NEW_PASSWORD, 'NEW_PASSWORD'),
          readAttributes(caller.pool, attributes, false),
          clientMetadata,
        ),
      )
    }
    default:
      throw invalidParameter(`The challenge ${input.ChallengeName} is not supported.`)
  }
}

/** Returns the fields of a challenge response that prove a password. */
function proofOf(answers: Metadata) {
  return {
    signature: required(answers.PASSWORD_CLAIM_SIGNATURE, 'PASSWORD_CLAIM_SIGNATURE'),
    block: required(answers.PASSWORD_CLAIM_SECRET_BLOCK, 'PASSWORD_CLAIM_SECRET_BLOCK'),
    timestamp: required(answers.TIMESTAMP, 'TIMESTAMP'),
  }
}
