import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext, Metadata } from '../../context/engine-context.ts'
import type { Change, Credential, StoredUser, User } from '../../store/user-pool-store.ts'
import { type Grant, issueTokens, type Tokens } from '../../tokens/issue-tokens.ts'
import { UserPoolError } from '../../user-pool-error.ts'
import { forgottenDevice, isForgotten } from '../factors/devices.ts'
import { refuseWrongSecretHash } from './secret-hash.ts'
import { grantValue, linkedEnds } from './tracked-sessions.ts'

/** The stored form of a refresh token. */
interface RefreshState {
  readonly grant: Grant
  /** The time when this token was replaced by another. */
  readonly rotated?: number
}

/** How many milliseconds the store keeps an expired token, so that late use gets the right error. */
const remembered = 24 * 3_600_000

/** Returns a new refresh token, and its stored form with its grant. */
export function newRefreshToken(
  engine: EngineContext,
  caller: ClientCaller,
  user: Pick<User, 'id'>,
  grant: Grant,
  ends = engine.clock.now() + caller.client.refresh.life,
) {
  const { pool, client } = caller
  const token = Buffer.from(engine.random(64)).toString('base64url')
  const state: RefreshState = { grant }
  return {
    token,
    grant: {
      kind: 'grant',
      id: grant.id,
      user: user.id,
      expires: ends + client.accessLife,
      value: grantValue(caller, grant, engine.clock.now()),
    } as Credential,
    credential: {
      kind: 'refresh',
      id: tokenId(engine, pool, token),
      user: user.id,
      expires: ends + remembered,
      value: JSON.stringify(state),
    } as Credential,
  }
}

function tokenId({ vault }: Pick<EngineContext, 'vault'>, pool: PoolSettings, token: string): string {
  return vault.digest(token, `refresh token ${pool.id}`)
}

/** A valid refresh token that was found in the store. */
interface Found {
  readonly credential: Credential
  readonly state: RefreshState
  readonly grant: Credential
  /** The time when the token ends. The store has it alone, because it cuts times from a clock that was ahead. */
  readonly ends: number
  readonly user: StoredUser
}

async function findRefreshToken(
  engine: EngineContext,
  { pool, client }: ClientCaller,
  token: string,
): Promise<Found> {
  const { store, clock } = engine
  const now = clock.now()
  const credential = await store.credential(pool.id, 'refresh', tokenId(engine, pool, token), now)
  if (credential === undefined) throw refused('Invalid Refresh Token')
  const state = JSON.parse(credential.value) as RefreshState
  if (state.grant.client !== client.id) throw refused('Invalid Refresh Token')
  const ends = credential.expires - remembered
  if (ends <= now) throw refused('Refresh Token has expired')
  const grant = await store.credential(pool.id, 'grant', state.grant.id, now)
  if (grant === undefined) throw refused('Refresh Token has been revoked')
  const { device } = state.grant
  if (device !== undefined && (await isForgotten(engine, pool, device)))
    throw refused('Invalid Refresh Token')
  const user = await store.user(pool.id, credential.user)
  if (user === undefined) throw refused('Invalid Refresh Token')
  if (!user.enabled) throw refused('User is disabled.')
  return { credential, state, grant, ends, user }
}

/**
 * Issues new tokens for a refresh token, which stays valid.
 * @throws UserPoolError for a token that is unknown, expired, revoked or replaced
 */
export async function refreshTokens(
  engine: EngineContext,
  caller: ClientCaller,
  token: string,
  secretHash: string | undefined,
  clientMetadata: Metadata,
): Promise<Tokens> {
  const { store, clock, vault } = engine
  const { pool, client } = caller
  const found = await findRefreshToken(engine, caller, token)
  const { user, state } = found
  // An alias, such as an address that the user signed in with, does not count: the service wants the user name.
  refuseWrongSecretHash(vault, pool, client, [user.name, user.id], secretHash)
  await refuseReuse(engine, caller, found)
  const tokens = await issueTokens(
    engine,
    caller,
    user,
    state.grant,
    'TokenGeneration_RefreshTokens',
    clientMetadata,
  )
  const now = clock.now()
  const puts = activeGrant(caller, found, now)
  const refusal = await store.change({ pool: pool.id, now, ...stillGranted(state), puts })
  if (refusal === undefined) return tokens
  // The sign-in has ended in the meantime, and the repeated call throws the right error.
  return refreshTokens(engine, caller, token, secretHash, clientMetadata)
}

/**
 * Returns the conditions for issuing tokens. They are checked after the function has returned the claims, because no
 * tokens may be issued after a revocation is acknowledged.
 */
function stillGranted({ grant }: RefreshState): Pick<Change, 'needs' | 'lacks'> {
  return {
    needs: [{ kind: 'grant', id: grant.id }],
    ...(grant.device !== undefined && { lacks: [forgottenDevice(grant.device)] }),
  }
}

/** Returns the grant with the time of this refresh, if the pool tracks sessions. */
function activeGrant(caller: ClientCaller, { grant, state }: Found, now: number): readonly Credential[] {
  if (caller.pool.sessions === undefined) return []
  return [{ ...grant, value: grantValue(caller, state.grant, now) }]
}

/**
 * Issues new tokens for a refresh token, which is replaced if the client rotates its tokens.
 * @param refuse throws if the request does not fit the grant of the token
 * @throws UserPoolError for a token that is unknown, expired, revoked or replaced. A replaced token ends its whole
 * grant.
 */
export async function rotateTokens(
  engine: EngineContext,
  caller: ClientCaller,
  token: string,
  clientMetadata: Metadata,
  refuse: (grant: Grant) => void = () => undefined,
): Promise<Tokens & { readonly RefreshToken?: string }> {
  const { store, clock } = engine
  const { pool, client } = caller
  const found = await findRefreshToken(engine, caller, token)
  const { credential, state, ends, user } = found
  refuse(state.grant)
  await refuseReuse(engine, caller, found)
  const tokens = await issueTokens(
    engine,
    caller,
    user,
    state.grant,
    'TokenGeneration_RefreshTokens',
    clientMetadata,
  )
  const now = clock.now()
  const next = client.refresh.rotate ? newRefreshToken(engine, caller, user, state.grant, ends) : undefined
  const replaced: RefreshState = { ...state, rotated: state.rotated ?? now }
  const refusal = await store.change({
    pool: pool.id,
    now,
    ...stillGranted(state),
    ...(next === undefined && { puts: activeGrant(caller, found, now) }),
    ...(next !== undefined && {
      uses: [{ kind: 'refresh', id: credential.id, value: credential.value }],
      puts: [{ ...credential, value: JSON.stringify(replaced) }, next.grant, next.credential],
    }),
  })
  if (refusal === undefined) return { ...tokens, ...(next !== undefined && { RefreshToken: next.token }) }
  // Another request has replaced or revoked the token. The repeated call handles either case.
  return rotateTokens(engine, caller, token, clientMetadata, refuse)
}

/**
 * Refuses a token that was replaced too long ago, and revokes the sign-in that the token belongs to.
 * @throws UserPoolError for a replaced token that is no longer valid
 */
async function refuseReuse(
  { store, clock }: EngineContext,
  { pool, client }: ClientCaller,
  { state }: Found,
): Promise<void> {
  const now = clock.now()
  // A time further ahead than another platform's clock can be is from a clock that was set back since.
  if (state.rotated === undefined || Math.abs(now - state.rotated) < client.refresh.grace) return
  await store.change({ pool: pool.id, now, ends: [{ kind: 'grant', id: state.grant.id }] })
  throw new UserPoolError('RefreshTokenReuseException', 'Refresh token has been reused')
}

/**
 * Ends the grant of a refresh token. Ignores an unknown token.
 * @param isLinked whether to end the browser session that the token came from, too
 * @throws UserPoolError for another client's token, and for an access or identity token
 */
export async function revokeToken(
  engine: EngineContext,
  caller: ClientCaller,
  token: string,
  isLinked = false,
): Promise<void> {
  const { store, clock } = engine
  const { pool, client } = caller
  const now = clock.now()
  const found = await store.credential(pool.id, 'refresh', tokenId(engine, pool, token), now)
  if (found === undefined) {
    // Refresh tokens are opaque, so a signed token must be an access token or an identity token.
    if (!/^eyJ[\w-]*\.[\w-]+\.[\w-]+$/.test(token)) return
    throw new UserPoolError('UnsupportedTokenTypeException', 'Unsupported token type')
  }
  const { grant } = JSON.parse(found.value) as RefreshState
  if (grant.client !== client.id) throw new UserPoolError('NotAuthorizedException', 'Invalid Refresh Token')
  const ends = isLinked ? linkedEnds(grant) : [{ kind: 'grant' as const, id: grant.id }]
  await store.change({ pool: pool.id, now, ends })
}

function refused(message: string): UserPoolError {
  return new UserPoolError('NotAuthorizedException', message)
}
