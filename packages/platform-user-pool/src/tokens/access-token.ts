import { decodeProtectedHeader, type JWTPayload, errors as joseErrors, jwtVerify } from 'jose'
import { ownScope } from '../config/client-config.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import type { StoredUser } from '../store/user-pool-store.ts'
import { UserPoolError } from '../user-pool-error.ts'

/** The user and grant of an access token. */
export interface Bearer {
  readonly user: StoredUser
  readonly clientId: string
  /** The grant that the token belongs to. */
  readonly grant: string
  /** The key of the device on which the user signed in. */
  readonly device: string | undefined
  readonly scopes: readonly string[]
  /** Whether the grant is one whose scope `openid` alone gives no attributes. */
  readonly isNarrow: boolean
}

/**
 * Checks an access token for operations that users call to manage their own accounts.
 * @throws UserPoolError for the same reasons as `checkedBearer`, and for a token without the scope of these operations
 */
export async function bearerOf(engine: EngineContext, pool: PoolSettings, token: string): Promise<Bearer> {
  const bearer = await checkedBearer(engine, pool, token)
  if (!bearer.scopes.includes(ownScope))
    throw new UserPoolError('NotAuthorizedException', 'Access Token does not have required scopes')
  return bearer
}

/** How many milliseconds the clock of another platform may be ahead. */
const iatTolerance = 5 * 60_000

/**
 * Checks an access token of any scope, and checks that its user is still signed in.
 * @throws UserPoolError for a token that is forged, expired, revoked or not an access token
 */
export async function checkedBearer(
  engine: EngineContext,
  pool: PoolSettings,
  token: string,
): Promise<Bearer> {
  const claims = await verifiedClaims(engine, pool, token)
  const { store, clock } = engine
  // The account is looked up first, because deleting an account also deletes its grants.
  const user = await store.user(pool.id, String(claims.sub))
  if (user === undefined) throw new UserPoolError('UserNotFoundException', 'User does not exist.')
  const grant = String(claims.origin_jti)
  const found = await store.credential(pool.id, 'grant', grant, clock.now())
  if (found === undefined) throw new UserPoolError('NotAuthorizedException', 'Access Token has been revoked')
  if (!user.enabled) throw new UserPoolError('NotAuthorizedException', 'User is disabled.')
  return {
    user,
    clientId: String(claims.client_id),
    grant,
    device: textOf(claims.device_key),
    scopes: String(claims.scope).split(' '),
    isNarrow: found.value.startsWith('{') && JSON.parse(found.value).isNarrow === true,
  }
}

/**
 * Checks an access token of a user or of a machine, and returns its scopes. The client of a machine still has to exist.
 * @throws UserPoolError for the same reasons as `checkedBearer`
 */
export async function verifiedScopes(
  engine: EngineContext,
  pool: PoolSettings,
  token: string,
): Promise<readonly string[]> {
  const { sub, client_id, scope } = await verifiedClaims(engine, pool, token)
  if (sub !== client_id) return (await checkedBearer(engine, pool, token)).scopes
  if (!pool.clients.some(({ id }) => id === client_id)) throw invalid()
  return String(scope).split(' ')
}

/**
 * Checks the signature and the times of an access token.
 * @throws UserPoolError for a token that is forged, expired or not an access token
 */
async function verifiedClaims(
  { keys, clock, issuer }: EngineContext,
  pool: PoolSettings,
  token: string,
): Promise<JWTPayload> {
  const claims = await jwtVerify(
    token,
    async ({ kid = '' }) => {
      const key = await keys.verifying(pool, kid)
      if (key === undefined) throw invalid()
      return key
    },
    { issuer: issuer(pool), algorithms: ['RS256'], currentDate: new Date(clock.wall()) },
  ).then(
    ({ payload }) => payload,
    error => {
      throw error instanceof joseErrors.JWTExpired
        ? new UserPoolError('NotAuthorizedException', 'Access Token has expired')
        : invalid()
    },
  )
  if (claims.token_use !== 'access') throw invalid()
  // Otherwise, a token that was issued while the clock was ahead would be valid until the clock is there again.
  if (Number(claims.iat) * 1000 > clock.wall() + iatTolerance)
    throw new UserPoolError('NotAuthorizedException', 'Access Token has expired')
  return claims
}

function textOf(claim: unknown): string | undefined {
  return typeof claim === 'string' ? claim : undefined
}

/** Returns the pool that an access token names. Does not check the token. */
export function poolOfToken(
  token: unknown,
  pools: readonly PoolSettings[],
  issuer: EngineContext['issuer'],
): PoolSettings {
  if (typeof token !== 'string') throw invalid()
  try {
    decodeProtectedHeader(token)
    const { iss } = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString('utf8'))
    const pool = pools.find(each => issuer(each) === iss)
    if (pool !== undefined) return pool
  } catch {
    // The error below also covers tokens that cannot be read.
  }
  throw invalid()
}

function invalid(): UserPoolError {
  return new UserPoolError('NotAuthorizedException', 'Invalid Access Token')
}
