import { identityScopes, ownScope } from '../config/client-config.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import { resourceScopes } from '../tokens/scopes.ts'
import { prompts } from './authorization-request.ts'
import { hasDevices } from './device-authorization.ts'
import { deviceGrant } from './token-endpoint.ts'

/**
 * Returns the discovery document of a pool (OpenID Connect Discovery, section 3).
 * @param base the address of the pool at this listener, which an issuer of another service does not have
 */
export function discoveryDocument(
  { issuer }: Pick<EngineContext, 'issuer'>,
  pool: PoolSettings,
  base: string,
): object {
  const methods = ['client_secret_basic', 'client_secret_post', 'none']
  return {
    issuer: issuer(pool),
    authorization_endpoint: `${base}/oauth2/authorize`,
    token_endpoint: `${base}/oauth2/token`,
    userinfo_endpoint: `${base}/oauth2/userInfo`,
    revocation_endpoint: `${base}/oauth2/revoke`,
    end_session_endpoint: `${base}/logout`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: [
      ...['authorization_code', 'refresh_token', 'client_credentials'],
      ...(hasDevices(pool) ? [deviceGrant] : []),
    ],
    ...(hasDevices(pool) && { device_authorization_endpoint: `${base}/oauth2/device_authorization` }),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: [...identityScopes, ownScope, ...resourceScopes(pool)],
    token_endpoint_auth_methods_supported: methods,
    revocation_endpoint_auth_methods_supported: methods,
    code_challenge_methods_supported: ['S256'],
    ...(pool.registration !== undefined && { registration_endpoint: `${base}/oauth2/register` }),
    ...(pool.clientDocuments.length > 0 && { client_id_metadata_document_supported: true }),
    prompt_values_supported: prompts,
    claims_parameter_supported: false,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
  }
}
