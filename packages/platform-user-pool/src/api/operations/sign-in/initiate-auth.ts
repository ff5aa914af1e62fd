import type { ClientFlow } from '../../../config/client-config.ts'
import type { ClientCaller, Metadata } from '../../../context/engine-context.ts'
import type { Engine } from '../../../engine.ts'
import { beginChoice } from '../../../flows/sign-in/choice-sign-in.ts'
import { beginCustom } from '../../../flows/sign-in/custom-auth.ts'
import { signInByPassword } from '../../../flows/sign-in/password-sign-in.ts'
import { refreshTokens } from '../../../flows/sign-in/refresh-tokens.ts'
import { refuseWrongSecretHash } from '../../../flows/sign-in/secret-hash.ts'
import { beginSrp, passwordVerifier, srpA } from '../../../flows/sign-in/srp-sign-in.ts'
import { subjectOf } from '../../../flows/sign-in/subject.ts'
import { invalidParameter } from '../../../users/attributes.ts'
import { wireSignInResult } from '../../wire/wire-sign-in-result.ts'
import { choiceOf, required } from './auth-parameters.ts'

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
  wireSignInResult(
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
  wireSignInResult(await beginSrp(engine, caller, required(USERNAME, 'USERNAME'), SRP_A, clientMetadata))

const custom: Flow = async (engine, caller, { USERNAME, CHALLENGE_NAME, SRP_A }) => {
  const sentName = required(USERNAME, 'USERNAME')
  const A = CHALLENGE_NAME === 'SRP_A' ? srpA(SRP_A) : undefined
  const subject = await subjectOf(engine, caller, sentName)
  if (A === undefined)
    return wireSignInResult(await beginCustom(engine, caller, subject, sentName, [], undefined))
  const begun = [{ challengeName: 'SRP_A', challengeResult: true, challengeMetadata: null }]
  return wireSignInResult(
    await beginCustom(engine, caller, subject, sentName, begun, {
      password: rounds => passwordVerifier(engine, caller, subject, sentName, A, rounds),
    }),
  )
}

const choice: Flow = async (engine, caller, parameters, clientMetadata) => {
  const { USERNAME, PREFERRED_CHALLENGE } = parameters
  const sentName = required(USERNAME, 'USERNAME')
  return wireSignInResult(
    await beginChoice(engine, caller, sentName, choiceOf(PREFERRED_CHALLENGE, parameters), clientMetadata),
  )
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

/** The flows that need no credentials. */
export const openFlows: Flows = {
  USER_SRP_AUTH: { allowed: 'srp', run: bySrp },
  USER_PASSWORD_AUTH: { allowed: 'password', run: byPassword },
  USER_AUTH: { allowed: 'choice', run: choice },
  CUSTOM_AUTH: { allowed: 'custom', run: custom },
  REFRESH_TOKEN_AUTH: { allowed: 'refresh', run: refresh },
  REFRESH_TOKEN: { allowed: 'refresh', run: refresh },
}

const { USER_PASSWORD_AUTH: _, ...sharedFlows } = openFlows

/** The flows that administrators may use, with password flows of their own. */
export const adminFlows: Flows = {
  ...sharedFlows,
  ADMIN_USER_PASSWORD_AUTH: { allowed: 'admin', run: byPassword },
  ADMIN_NO_SRP_AUTH: { allowed: 'admin', run: byPassword },
}

const flowNames = [...new Set([...Object.keys(openFlows), ...Object.keys(adminFlows)])]

/** The maximum number of characters in a user name at sign-in. It equals the limit for attribute values. */
const nameLimit = 2048

/** Begins a sign-in with the flow from the input. */
export async function initiateAuth(
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
  const run = () => flow.run(engine, caller, parameters, clientMetadata)
  if (flow.run === refresh) return run()
  const sentName = required(parameters.USERNAME, 'USERNAME')
  // The length is limited because the name is stored until the sign-in continues.
  if (sentName.length > nameLimit) throw invalidParameter(`USERNAME is longer than ${nameLimit} characters.`)
  refuseWrongSecretHash(engine.vault, caller.pool, caller.client, [sentName], parameters.SECRET_HASH)
  return engine.countSignIn(caller.pool, run)
}
