import { randomUuid } from '@signalbox/platform-runtime'
import type { ClientCaller, EngineContext, Metadata } from '../context/engine-context.ts'
import { overridden, overridesOf } from './claims.ts'
import { signedToken } from './signed-token.ts'

/** The access token of a client that uses the grant `client_credentials`. */
export interface MachineToken {
  readonly token: string
  readonly scopes: readonly string[]
  /** How many seconds the token is valid. */
  readonly expiresIn: number
}

const none = { groups: [], roles: [], preferredRole: undefined }

/**
 * Issues an access token to a client without a user. The pool's function is called only if it uses event version 3,
 * because earlier versions require a user.
 * @param resource the resource server that the token is for, which is its audience
 * @throws UserPoolError when the function denies the request or fails
 */
export async function machineToken(
  engine: EngineContext,
  caller: ClientCaller,
  scopes: readonly string[],
  clientMetadata: Metadata,
  resource?: string,
): Promise<MachineToken> {
  const { pool, client } = caller
  const source = 'TokenGeneration_ClientCredentials'
  const response =
    pool.triggers.get(source)?.version === '3'
      ? await engine.callTrigger(caller, source, {
          userName: client.id,
          request: {
            userAttributes: {},
            groupConfiguration: { groupsToOverride: [], accessRolesToOverride: [] },
            clientMetadata,
            scopes,
          },
        })
      : undefined
  const overrides = overridesOf(response, none, scopes)
  const now = Math.floor(engine.clock.wall() / 1000)
  const expiresIn = Math.floor(client.accessLife / 1000)
  const token = await signedToken(engine, pool, 'access', {
    ...overridden({}, overrides.access),
    sub: client.id,
    token_use: 'access',
    scope: overrides.scopes.join(' '),
    auth_time: now,
    iss: engine.issuer(pool),
    exp: now + expiresIn,
    iat: now,
    version: 2,
    jti: randomUuid(engine.random),
    client_id: client.id,
    ...(resource !== undefined && { aud: resource }),
  })
  return { token, scopes: overrides.scopes, expiresIn }
}
