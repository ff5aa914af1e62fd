import { clientOf } from '../agents/client-of.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../context/engine-context.ts'
import { isClientSecret } from '../flows/sign-in/client-secrets.ts'
import { OAuthError } from './oauth-error.ts'
import type { Parameters } from './parameters.ts'

/** The program that sends a request, and its network address. */
export interface RequestOrigin extends Pick<ClientCaller, 'sdk' | 'address'> {}

/**
 * Returns the client that sends a request. The client authenticates by `client_secret_basic` or `client_secret_post`,
 * or by its id alone if it has no secret (RFC 6749, 2.3).
 * @throws OAuthError for an unknown client, for a wrong secret, and for more than one secret
 */
export async function authenticatedClient(
  engine: Pick<EngineContext, 'store' | 'vault' | 'clock' | 'documents' | 'notice'>,
  pool: PoolSettings,
  { get }: Pick<Parameters, 'get'>,
  authorization: string | undefined,
  from: RequestOrigin,
): Promise<ClientCaller> {
  const [idInBody, secretInBody] = [get('client_id'), get('client_secret')]
  const basic = authorization === undefined ? undefined : basicOf(authorization)
  if (basic !== undefined && secretInBody !== undefined)
    throw new OAuthError('invalid_request', 'The client has sent two secrets.')
  if (basic !== undefined && idInBody !== undefined && idInBody !== basic.id)
    throw new OAuthError('invalid_request', 'The client has sent two ids.')
  const client = await clientOf(engine, pool, basic?.id ?? idInBody, from.address)
  if (client === undefined) throw refused()
  if (!isClientSecret(engine.vault, pool, client, basic?.secret ?? secretInBody)) throw refused()
  return { pool, client, ...from }
}

function basicOf(authorization: string): { readonly id: string; readonly secret: string } {
  const encoded = /^Basic +([\w+/=-]+) *$/i.exec(authorization)?.[1]
  const text = encoded && Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text?.indexOf(':') ?? -1
  if (text === undefined || colon < 0) throw refused()
  return { id: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) }
}

/**
 * Decodes the client id or the secret in the Authorization header. Both parts are encoded as in forms (RFC 6749,
 * 2.3.1). A `+` stays unchanged, because it can be part of a secret, and many clients do not encode it.
 */
function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw refused()
  }
}

function refused(): OAuthError {
  return new OAuthError('invalid_client', 'The client is unknown, or its secret is wrong.')
}
