import * as t from 'io-ts'
import type { ClientCaller } from '../../../context/engine-context.ts'
import type { Engine } from '../../../engine.ts'
import { hasSecret, isClientSecret } from '../../../flows/sign-in/client-secrets.ts'
import { revokeToken, rotateTokens } from '../../../flows/sign-in/refresh-tokens.ts'
import { UserPoolError } from '../../../user-pool-error.ts'
import { fields, metadata } from '../../wire/inputs.ts'
import { admin, type Operations, open } from '../operation.ts'
import { adminFlows, initiateAuth, openFlows } from './initiate-auth.ts'
import { respondToAuthChallenge } from './respond-to-auth-challenge.ts'
import { associated } from './sessions.ts'

const initiate = { AuthFlow: t.string, ClientId: t.string }
const initiateMore = { AuthParameters: metadata, ClientMetadata: metadata }
const response = { ChallengeName: t.string, ClientId: t.string }
const responseMore = { ChallengeResponses: metadata, ClientMetadata: metadata, Session: t.string }
const pool = { UserPoolId: t.string }

/** Operations that sign users in or refresh their tokens. */
export const signInOperations: Operations = {
  InitiateAuth: open(fields(initiate, initiateMore), async (engine, input, sdk, _mayKnow, address) => {
    const caller = { ...engine.clientCaller(input.ClientId, sdk), address }
    return initiateAuth(engine, caller, openFlows, input)
  }),

  AdminInitiateAuth: admin(fields({ ...pool, ...initiate }, initiateMore), async (engine, input, sdk) => {
    const caller = clientOfPool(engine, input.UserPoolId, input.ClientId, sdk)
    return initiateAuth(engine, caller, adminFlows, input)
  }),

  RespondToAuthChallenge: open(
    fields(response, responseMore),
    async (engine, input, sdk, _mayKnow, address) =>
      respond(engine, { ...engine.clientCaller(input.ClientId, sdk), address }, input),
  ),

  AdminRespondToAuthChallenge: admin(
    fields({ ...pool, ...response }, responseMore),
    async (engine, input, sdk) =>
      respond(engine, clientOfPool(engine, input.UserPoolId, input.ClientId, sdk), input),
  ),

  GetTokensFromRefreshToken: open(
    fields(
      { RefreshToken: t.string, ClientId: t.string },
      { ClientSecret: t.string, ClientMetadata: metadata },
    ),
    async (engine, input, sdk, _mayKnow, address) => {
      const caller = { ...engine.clientCaller(input.ClientId, sdk), address }
      refuseWrongSecret(engine, caller, input.ClientSecret)
      const tokens = await rotateTokens(engine, caller, input.RefreshToken, input.ClientMetadata ?? {})
      return { AuthenticationResult: tokens }
    },
  ),

  RevokeToken: open(
    fields({ Token: t.string, ClientId: t.string }, { ClientSecret: t.string, ...associated }),
    async (engine, input, sdk) => {
      const caller = engine.clientCaller(input.ClientId, sdk)
      refuseWrongSecret(engine, caller, input.ClientSecret)
      await revokeToken(engine, caller, input.Token, input.RevokeAssociatedSessions === 'LINKED')
      return {}
    },
  ),
}

function respond(
  engine: Engine,
  caller: ClientCaller,
  input: Parameters<typeof respondToAuthChallenge>[2],
): Promise<object> {
  return engine.countSignIn(caller.pool, () => respondToAuthChallenge(engine, caller, input))
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
  if (!hasSecret(client) || isClientSecret(engine.vault, owner, client, sent ?? '')) return
  throw new UserPoolError('NotAuthorizedException', `Unable to verify secret for client ${client.id}`)
}
