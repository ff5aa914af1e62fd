import { clientOf } from '../agents/client-of.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import { checkedBearer } from '../tokens/access-token.ts'
import { attributeClaims } from '../tokens/claims.ts'
import { isNarrow } from '../tokens/issue-tokens.ts'
import { claimsOfScopes } from '../tokens/scopes.ts'
import { UserPoolError } from '../user-pool-error.ts'
import { readableAttributes } from '../users/attribute-rights.ts'

/** The reason why a token is refused (RFC 6750, 3.1). */
export type BearerRefusal = 'no token' | 'invalid_request' | 'invalid_token' | 'insufficient_scope'

/**
 * Returns the claims about an access token's user (OpenID Connect Core, 5.3), or the reason why the token is refused.
 * @param inForm the token in a form body (RFC 6750, 2.2)
 */
export async function userInfo(
  engine: EngineContext,
  pool: PoolSettings,
  authorization: string | undefined,
  inForm?: string,
): Promise<{ readonly claims: object } | { readonly refused: BearerRefusal }> {
  if (authorization !== undefined && inForm !== undefined) return { refused: 'invalid_request' }
  const token = inForm ?? /^Bearer +([\w.~+/-]+=*) *$/i.exec(authorization ?? '')?.[1]
  if (token === undefined) return { refused: 'no token' }
  try {
    const { user, scopes, clientId, isNarrow: isNarrowGrant } = await checkedBearer(engine, pool, token)
    const client = await clientOf(engine, pool, clientId, undefined)
    if (client === undefined) return { refused: 'invalid_token' }
    if (!scopes.includes('openid')) return { refused: 'insufficient_scope' }
    return {
      claims: {
        sub: user.id,
        ...claimsOfScopes(
          attributeClaims(readableAttributes(client, user)),
          scopes,
          isNarrow(client, { isNarrow: isNarrowGrant }),
        ),
        username: user.name,
      },
    }
  } catch (error) {
    if (error instanceof UserPoolError && error.type !== 'InternalErrorException')
      return { refused: 'invalid_token' }
    throw error
  }
}
