import { register, registeredScopes } from '../agents/registered-clients.ts'
import { registrationScope } from '../config/client-config.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import { isRedirectList, shownName, shownUri } from '../context/client-documents.ts'
import type { EngineContext } from '../context/engine-context.ts'
import { verifiedScopes } from '../tokens/access-token.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { OAuthError } from './oauth-error.ts'
import { spaced } from './parameters.ts'

type Metadata = { readonly [field: string]: unknown }

/**
 * Registers a program as a public client, and returns what it is registered with (RFC 7591, 3). Values that the pool does
 * not support are replaced, as the answer shows: a client never gets a secret.
 * @param authorization the value of the Authorization header, which a pool needs unless its registration is open
 * @throws OAuthError for metadata that cannot be used, without a token with the right scope, and when there are too many
 */
export async function registerClient(
  engine: EngineContext,
  pool: PoolSettings,
  metadata: unknown,
  authorization: string | undefined,
  address: string | undefined,
): Promise<object> {
  if (!pool.registration!.open) await refuseWithoutToken(engine, pool, authorization)
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw new OAuthError('invalid_client_metadata', 'The body must be a JSON object.')
  const { client_name, client_uri, redirect_uris, grant_types, response_types, scope } = metadata as Metadata
  if (!isRedirectList(redirect_uris))
    throw new OAuthError(
      'invalid_redirect_uri',
      'redirect_uris must be a list of one to twenty addresses by https, by http on this machine, or by the scheme of an app that contains a dot, and of 4096 characters together.',
    )
  if (
    grant_types !== undefined &&
    !(Array.isArray(grant_types) && grant_types.includes('authorization_code'))
  )
    throw new OAuthError('invalid_client_metadata', 'grant_types must contain authorization_code.')
  if (response_types !== undefined && !(Array.isArray(response_types) && response_types.includes('code')))
    throw new OAuthError('invalid_client_metadata', 'response_types must contain code.')
  if (scope !== undefined && typeof scope !== 'string')
    throw new OAuthError('invalid_client_metadata', 'scope must be a text.')
  const name = shownName(client_name) ?? 'A program without a name'
  const uri = shownUri(client_uri)
  const possible = registeredScopes(pool)
  const asked = spaced(scope).filter(each => possible.includes(each))
  const scopes = asked.length > 0 ? asked : undefined
  const client = await register(engine, pool, { name, uri, redirectUris: redirect_uris, scopes }, address)
  if (client === undefined)
    throw new OAuthError('temporarily_unavailable', 'Too many programs have registered. Try again later.')
  return {
    client_id: client.id,
    client_id_issued_at: Math.floor(engine.clock.wall(client.created) / 1000),
    client_name: name,
    ...(uri !== undefined && { client_uri: uri }),
    redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: (scopes ?? possible).join(' '),
  }
}

async function refuseWithoutToken(
  engine: EngineContext,
  pool: PoolSettings,
  authorization: string | undefined,
): Promise<void> {
  const token = /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) throw invalidToken()
  try {
    if ((await verifiedScopes(engine, pool, token)).includes(registrationScope)) return
  } catch (error) {
    if (!(error instanceof UserPoolError) || error.type === 'InternalErrorException') throw error
  }
  throw invalidToken()
}

function invalidToken(): OAuthError {
  return new OAuthError(
    'invalid_token',
    `The request needs an access token with the scope ${registrationScope}.`,
  )
}
