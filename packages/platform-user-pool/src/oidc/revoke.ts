import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import { revokeToken } from '../flows/sign-in/refresh-tokens.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { authenticatedClient, type RequestOrigin } from './client-authentication.ts'
import { OAuthError } from './oauth-error.ts'
import { parameters } from './parameters.ts'

/**
 * Ends the grant of a refresh token (RFC 7009). An unknown token counts as revoked.
 * @throws OAuthError for an unknown client, for another client's token, and for a token that cannot be revoked
 */
export async function revoke(
  engine: EngineContext,
  pool: PoolSettings,
  form: URLSearchParams,
  authorization: string | undefined,
  from: RequestOrigin,
): Promise<void> {
  const request = parameters(form)
  request.refuseRepeated(['token', 'token_type_hint', 'client_id', 'client_secret'])
  const caller = await authenticatedClient(engine, pool, request, authorization, from)
  const token = request.get('token')
  if (token === undefined) throw new OAuthError('invalid_request', 'The parameter token is missing.')
  try {
    await revokeToken(engine, caller, token)
  } catch (error) {
    if (!(error instanceof UserPoolError) || error.type === 'InternalErrorException') throw error
    throw error.type === 'UnsupportedTokenTypeException'
      ? new OAuthError('unsupported_token_type', 'Only refresh tokens can be revoked.')
      : new OAuthError('invalid_request', 'The token belongs to another client.')
  }
}
