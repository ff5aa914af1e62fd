import { isSame } from '@signalbox/platform-runtime/secrets'
import * as t from 'io-ts'
import type { ClientFlow } from '../../../config/user-pool-config.ts'
import type { Engine } from '../../../engine.ts'
import { invalidParameter, readAttributes } from '../../../flows/accounts/accounts.ts'
import type { ClientCaller, Metadata } from '../../../flows/engine-context.ts'
import {
  answerCode,
  answerDeviceProof,
  answerDeviceSrp,
  answerFactorChoice,
  answerSetup,
} from '../../../flows/factors/answer-factors.ts'
import { credentialIn } from '../../../flows/factors/web-authn.ts'
import { answerChoice, beginChoice } from '../../../flows/sign-in/choice-sign-in.ts'
import { answerCustom, beginCustom } from '../../../flows/sign-in/custom-auth.ts'
import { answerNewPassword } from '../../../flows/sign-in/new-password.ts'
import { answerPasskey } from '../../../flows/sign-in/passkey-sign-in.ts'
import { signInByPassword } from '../../../flows/sign-in/password-sign-in.ts'
import { refreshTokens, revokeToken, rotateTokens } from '../../../flows/sign-in/refresh-tokens.ts'
import { clientSecret, refuseWrongSecretHash } from '../../../flows/sign-in/secret-hash.ts'
import type { SignInResult } from '../../../flows/sign-in/sign-in-result.ts'
import { beginSrp, passwordVerifier, proveBySrp, srpA } from '../../../flows/sign-in/srp-sign-in.ts'
import { subjectOf } from '../../../flows/sign-in/subject.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { fields, metadata } from '../../wire/inputs.ts'
import { admin, type Operations, open } from '../operation.ts'

const initiate = { AuthFlow: t.string, ClientId: t.string }
const initiateMore = { AuthParameters: metadata, ClientMetadata: metadata }
const respond = { ChallengeName: t.string, ClientId: t.string }
const respondMore = { ChallengeResponses: metadata, ClientMetadata: metadata, Session: t.string }
const pool = { UserPoolId: t.string }

/** Operations that sign users in or refresh their tokens. */
export const signInOperations: Operations = {
  InitiateAuth: open(fields(initiate, initiateMore), async (engine, input, sdk) => {
    const caller = engine.clientCaller(input.ClientId, sdk)
    return initiateAuth(engine, caller, openFlows, input)
  }),

  AdminInitiateAuth: admin(fields({ ...pool, ...initiate }, initiateMore), async (engine, input, sdk) => {
    const caller = clientOfPool(engine, input.UserPoolId, input.ClientId, sdk)
    return initiateAuth(engine, caller, adminFlows, input)
  }),

  RespondToAuthChallenge: open(fields(respond, respondMore), async (engine, input, sdk) =>
    respondToAuthChallenge(engine, engine.clientCaller(input.ClientId, sdk), input),
  ),

  AdminRespondToAuthChallenge: admin(
    fields({ ...pool, ...respond }, respondMore),
    async (engine, input, sdk) =>
      respondToAuthChallenge(engine, clientOfPool(engine, input.UserPoolId, input.ClientId, sdk), input),
  ),

  GetTokensFromRefreshToken: open(
    fields(
      { RefreshToken: t.string, ClientId: t.string },
      { ClientSecret: t.string, ClientMetadata: metadata },
    ),
    async (engine, input, sdk) => {
      const caller = engine.clientCaller(input.ClientId, sdk)
      refuseWrongSecret(engine, caller, input.ClientSecret)
      const tokens = await rotateTokens(engine, caller, input.RefreshToken, input.ClientMetadata ?? {})
      return { AuthenticationResult: tokens }
    },
  ),

  RevokeToken: open(
    fields({ Token: t.string, ClientId: t.string }, { ClientSecret: t.string }),
    async (engine, input, sdk) => {
      const caller = engine.clientCaller(input.ClientId, sdk)
      refuseWrongSecret(engine, caller, input.ClientSecret)
      await revokeToken(engine, caller, input.Token)
      return {}
    },
  ),
}

interface Initiate {
  readonly AuthFlow: string
  readonly AuthParameters?: Metadata
  readonly ClientMetadata?: Metadata
}

type Flow = (
  engine: Engine,
  caller: ClientCaller,
  parameters: Metadata,
  clientMetadata: Metadata,
) => Promise<object>

const byPassword: Flow = async (engine, caller, { USERNAME, PASSWORD, DEVICE_KEY }, clientMetadata) =>
  answerOf(
    await signInByPassword(
      engine,
      caller,
      required(USERNAME, 'USERNAME'),
      required(PASSWORD, 'PASSWORD'),
      clientMetadata,
      { device: DEVICE_KEY },
    ),
  )

const bySrp: Flow = async (engine, caller, { USERNAME, SRP_A }, clientMetadata) =>
  answerOf(await beginSrp(engine, caller, required(USERNAME, 'USERNAME'), SRP_A, clientMetadata))

const custom: Flow = async (engine, caller, { USERNAME, CHALLENGE_NAME, SRP_A }) => {
  const sentName = required(USERNAME, 'USERNAME')
  const A = CHALLENGE_NAME === 'SRP_A' ? srpA(SRP_A) : undefined
  const subject = await subjectOf(engine, caller, sentName)
  if (A === undefined) return answerOf(await beginCustom(engine, caller, subject, sentName, [], undefined))
  const begun = [{ challengeName: 'SRP_A', challengeResult: true, challengeMetadata: null }]
  return answerOf(
    await beginCustom(engine, caller, subject, sentName, begun, {
      password: rounds => passwordVerifier(engine, caller, subject, sentName, A, rounds),
    }),
  )
}

const choice: Flow = async (engine, caller, parameters, clientMetadata) => {
  const { USERNAME, PREFERRED_CHALLENGE } = parameters
  const sentName = required(USERNAME, 'USERNAME')
  return answerOf(
    await beginChoice(engine, caller, sentName, choiceOf(PREFERRED_CHALLENGE, parameters), clientMetadata),
  )
}

function choiceOf(challenge: string | undefined, { PASSWORD, SRP_A, DEVICE_KEY }: Metadata) {
  return { challenge, password: PASSWORD, A: SRP_A, device: DEVICE_KEY }
}

const refresh: Flow = async (engine, caller, { REFRESH_TOKEN, SECRET_HASH }, clientMetadata) => ({
  ChallengeParameters: {},
  AuthenticationResult: await refreshTokens(
    engine,
    caller,
    required(REFRESH_TOKEN, 'REFRESH_TOKEN'),
    SECRET_HASH,
    clientMetadata,
  ),
})

/** Flows by their API names. A client can use a flow only if its settings allow the flow in `allowed`. */
type Flows = { readonly [name: string]: { readonly allowed: ClientFlow; readonly run: Flow } }

const openFlows: Flows = {
  USER_SRP_AUTH: { allowed: 'srp', run: bySrp },
  USER_PASSWORD_AUTH: { allowed: 'password', run: byPassword },
  USER_AUTH: { allowed: 'choice', run: choice },
  CUSTOM_AUTH: { allowed: 'custom', run: custom },
  REFRESH_TOKEN_AUTH: { allowed: 'refresh', run: refresh },
  REFRESH_TOKEN: { allowed: 'refresh', run: refresh },
}

const { USER_PASSWORD_AUTH: _, ...sharedFlows } = openFlows

/** The flows that administrators may use, with password flows of their own. */
const adminFlows: Flows = {
  ...sharedFlows,
  ADMIN_USER_PASSWORD_AUTH: { allowed: 'admin', run: byPassword },
  ADMIN_NO_SRP_AUTH: { allowed: 'admin', run: byPassword },
}

const flowNames = [...new Set([...Object.keys(openFlows), ...Object.keys(adminFlows)])]

/** The maximum number of characters in a user name at sign-in. It equals the limit for attribute values. */
const nameLimit = 2048

async function initiateAuth(
  engine: Engine,
  caller: ClientCaller,
  flows: Flows,
  input: Initiate,
): Promise<object> {
  const { AuthFlow: name, AuthParameters: parameters = {}, ClientMetadata: clientMetadata = {} } = input
  const flow = Object.hasOwn(flows, name) ? flows[name] : undefined
  if (flow === undefined)
    throw invalidParameter(
      flowNames.includes(name)
        ? 'Initiate Auth method not supported'
        : `1 validation error detected: Value '${name}' at 'authFlow' failed to satisfy constraint: Member must satisfy enum value set: [${flowNames.join(', ')}]`,
    )
  // A client that rotates refresh tokens must use GetTokensFromRefreshToken to refresh.
  const isRotating = flow.run === refresh && caller.client.refresh.rotate
  if (!caller.client.flows.includes(flow.allowed) || isRotating)
    throw invalidParameter(`${name} flow not enabled for this client`)
  if (flow.run !== refresh) {
    // The length is limited because the name is stored until the sign-in continues.
    if (required(parameters.USERNAME, 'USERNAME').length > nameLimit)
      throw invalidParameter(`USERNAME is longer than ${nameLimit} characters.`)
    refuseWrongSecretHash(
      engine.vault,
      caller.pool,
      caller.client,
      [required(parameters.USERNAME, 'USERNAME')],
      parameters.SECRET_HASH,
    )
  }
  return flow.run(engine, caller, parameters, clientMetadata)
}

interface Respond {
  readonly ChallengeName: string
  readonly ChallengeResponses?: Metadata
  readonly ClientMetadata?: Metadata
  readonly Session?: string
}

async function respondToAuthChallenge(engine: Engine, caller: ClientCaller, input: Respond): Promise<object> {
  const { ChallengeResponses: answers = {}, ClientMetadata: clientMetadata = {}, Session: session } = input
  const name = required(answers.USERNAME, 'USERNAME')
  refuseWrongSecretHash(engine.vault, caller.pool, caller.client, [name], answers.SECRET_HASH)
  switch (input.ChallengeName) {
    case 'PASSWORD_VERIFIER':
      return answerOf(
        await proveBySrp(engine, caller, { ...proofOf(answers), device: answers.DEVICE_KEY }, clientMetadata),
      )
    case 'SOFTWARE_TOKEN_MFA':
    case 'SMS_MFA':
    case 'SMS_OTP':
    case 'EMAIL_OTP': {
      const field = `${input.ChallengeName}_CODE`
      const code = required(answers[field], field)
      const { ChallengeName: challenge } = input
      return answerOf(
        await answerCode(engine, caller, challenge, session, code, answers.DEVICE_KEY, clientMetadata),
      )
    }
    case 'SELECT_MFA_TYPE':
      return answerOf(
        await answerFactorChoice(engine, caller, session, required(answers.ANSWER, 'ANSWER'), clientMetadata),
      )
    case 'MFA_SETUP':
      return answerOf(await answerSetup(engine, caller, session, clientMetadata))
    case 'DEVICE_SRP_AUTH': {
      const key = required(answers.DEVICE_KEY, 'DEVICE_KEY')
      return answerOf(await answerDeviceSrp(engine, caller, session, key, required(answers.SRP_A, 'SRP_A')))
    }
    case 'DEVICE_PASSWORD_VERIFIER':
      return answerOf(await answerDeviceProof(engine, caller, session, proofOf(answers), clientMetadata))
    case 'SELECT_CHALLENGE':
      return answerOf(
        await answerChoice(engine, caller, session, choiceOf(required(answers.ANSWER, 'ANSWER'), answers)),
      )
    case 'WEB_AUTHN': {
      const proof = credentialIn(required(answers.CREDENTIAL, 'CREDENTIAL'))
      return answerOf(await answerPasskey(engine, caller, session, proof, answers.DEVICE_KEY, clientMetadata))
    }
    case 'CUSTOM_CHALLENGE':
      return answerOf(
        await answerCustom(engine, caller, session, required(answers.ANSWER, 'ANSWER'), clientMetadata),
      )
    case 'NEW_PASSWORD_REQUIRED': {
      const attributes = Object.entries(answers).flatMap(([key, Value]) =>
        key.startsWith('userAttributes.') ? [{ Name: key.slice('userAttributes.'.length), Value }] : [],
      )
      return answerOf(
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

function answerOf(result: SignInResult): object {
  if ('tokens' in result) return { ChallengeParameters: {}, AuthenticationResult: result.tokens }
  if ('browser' in result) throw new Error('A program signed in like a page.')
  const { challenge, parameters, session, available } = result
  return {
    ChallengeName: challenge,
    ChallengeParameters: parameters,
    ...(available !== undefined && { AvailableChallenges: available }),
    ...(session !== undefined && { Session: session }),
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

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw invalidParameter(`Missing required parameter ${name}`)
  return value
}

function clientOfPool(engine: Engine, poolId: string, clientId: string, sdk: string): ClientCaller {
  const wanted = engine.poolOf(poolId)
  const caller = engine.clientCaller(clientId, sdk)
  if (caller.pool.id !== wanted.id)
    throw new UserPoolError('ResourceNotFoundException', `User pool client ${clientId} does not exist.`)
  return caller
}

/**
 * Checks a client's secret.
 * @throws UserPoolError if the client has a secret but did not send it
 */
function refuseWrongSecret(
  engine: Engine,
  { pool: owner, client }: ClientCaller,
  sent: string | undefined,
): void {
  const secret = clientSecret(engine.vault, owner, client)
  if (secret === undefined || isSame(secret, sent ?? '')) return
  throw new UserPoolError('NotAuthorizedException', `Unable to verify secret for client ${client.id}`)
}
