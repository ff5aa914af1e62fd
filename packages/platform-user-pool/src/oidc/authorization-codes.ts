import { createHash } from 'node:crypto'
import { randomUuid } from '@signalbox/platform-runtime'
import { isSame } from '@signalbox/platform-runtime/secrets'
import { consentNeeded } from '../agents/consents.ts'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { ClientCaller, EngineContext } from '../context/engine-context.ts'
import { newRefreshToken } from '../flows/sign-in/refresh-tokens.ts'
import { evictSessions } from '../flows/sign-in/tracked-sessions.ts'
import type { User } from '../store/user-pool-store.ts'
import { type Grant, issueTokens, type Tokens } from '../tokens/issue-tokens.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { mayContinue } from './browser-sessions.ts'
import { OAuthError } from './oauth-error.ts'
import { grantedResource } from './resource-indicator.ts'

/** How many milliseconds an authorization code is valid. */
const life = 5 * 60_000
/** How many milliseconds the store keeps a used code. A second use in this time ends the grant of the first use. */
const remembered = 3_600_000

/** The stored form of a code. */
type CodeState = Pick<AuthorizationRequest, 'redirectUri' | 'scopes' | 'nonce' | 'challenge' | 'resource'> & {
  /** The client's id. */
  readonly client: string
  readonly authTime: number
  /** The id of the browser session, if the pool tracks sessions. */
  readonly browser?: string
}

/** The stored form of a used code. `grant` is absent if no grant was issued for the code. */
interface UsedCode {
  readonly client: string
  readonly used: true
  readonly grant?: string
}

function about(pool: PoolSettings): string {
  return `authorization code ${pool.id}`
}

/**
 * Creates an authorization code for a user who has signed in. Only its digest is stored.
 * @throws OAuthError without the consent of the user, for a client that nobody has configured
 */
export async function newAuthorizationCode(
  engine: Pick<EngineContext, 'vault' | 'clock' | 'random' | 'store'>,
  caller: ClientCaller,
  request: AuthorizationRequest,
  session: { readonly id: string; readonly user: Pick<User, 'id'>; readonly authTime: number },
): Promise<string> {
  const { pool, client } = caller
  if (request.device !== undefined) throw new OAuthError('invalid_request', 'A device gets no code.')
  const { redirectUri, state: returned, scopes, nonce, challenge, resource } = request
  const { vault, clock, random, store } = engine
  const { user, authTime } = session
  const code = Buffer.from(random(32)).toString('base64url')
  const id = vault.digest(code, about(pool))
  const browser = pool.sessions === undefined ? {} : { browser: session.id }
  const state: CodeState = {
    ...{ client: client.id, redirectUri, scopes, nonce, challenge, resource, authTime },
    ...browser,
  }
  const now = clock.now()
  const value = vault.encrypt(JSON.stringify(state), `${about(pool)} ${id}`)
  // The kind is `session`, so that the change that ends all sessions of an account also ends its codes.
  const credential = { kind: 'session', id, user: user.id, expires: now + life, value } as const
  const conditions = consentNeeded(engine, caller, request, session)
  const refusal = await store.change({ pool: pool.id, now, ...conditions, adds: [credential] })
  if (refusal !== undefined)
    throw new OAuthError('consent_required', 'The user has not consented.', { redirectUri, state: returned })
  return code
}

/** The result of exchanging a code for tokens. */
export interface Redeemed {
  readonly tokens: Tokens
  readonly refreshToken: string
  readonly user: Pick<User, 'id'>
}

/**
 * Exchanges a code for tokens. The change that stores the grant uses up the code.
 * @param resources the resources that the client names
 * @throws OAuthError for an unknown, used or expired code, and for a code that belongs to another client, redirect
 * URI, verifier or resource. A second use ends the grant of the first use.
 * @throws UserPoolError when the pool's function denies the request or fails
 */
export async function redeemCode(
  engine: EngineContext,
  caller: ClientCaller,
  code: string,
  redirectUri: string | undefined,
  verifier: string | undefined,
  resources: readonly string[],
): Promise<Redeemed> {
  const { store, vault, clock, random } = engine
  const { pool, client } = caller
  const id = vault.digest(code, about(pool))
  const place = `${about(pool)} ${id}`
  const found = await store.credential(pool.id, 'session', id, clock.now())
  const text = found && vault.decrypt(found.value, place)
  if (found === undefined || text === undefined) throw invalidCode()
  const state = JSON.parse(text) as CodeState | UsedCode
  if (state.client !== client.id) throw invalidCode()
  if ('used' in state) {
    const ends = state.grant === undefined ? [] : [{ kind: 'grant', id: state.grant } as const]
    await store.change({ pool: pool.id, now: clock.now(), ends })
    throw invalidCode()
  }
  const usedUp = (grant?: string) => {
    const used: UsedCode = { client: client.id, used: true, ...(grant !== undefined && { grant }) }
    return {
      uses: [{ kind: 'session', id, value: found.value } as const],
      put: { ...found, expires: clock.now() + remembered, value: vault.encrypt(JSON.stringify(used), place) },
    }
  }
  if (state.redirectUri !== redirectUri || !isVerified(state.challenge, verifier)) {
    const { uses, put } = usedUp()
    await store.change({ pool: pool.id, now: clock.now(), uses, puts: [put] })
    throw invalidCode()
  }
  const resource = grantedResource(state.resource, resources)
  const user = await store.user(pool.id, found.user)
  if (user === undefined || !mayContinue(user, clock.now())) throw invalidCode()
  const { scopes, authTime, nonce, browser } = state
  // A revoked session of a browser gives no tokens for the codes that were under way.
  if (
    browser !== undefined &&
    (await store.credential(pool.id, 'session', browser, clock.now())) === undefined
  )
    throw invalidCode()
  const grant: Grant = {
    ...{ id: randomUuid(random), client: client.id, authTime, scopes, isHosted: true },
    ...(browser !== undefined && { browser, created: clock.now() }),
    ...(resource !== undefined && { resource }),
  }
  const tokens = await issueTokens(engine, caller, user, grant, 'TokenGeneration_HostedAuth', {}, nonce)
  const refresh = newRefreshToken(engine, caller, user, grant)
  const { uses, put } = usedUp(grant.id)
  const refusal = await store.change({
    pool: pool.id,
    now: clock.now(),
    uses,
    ...(browser !== undefined && { needs: [{ kind: 'session', id: browser }] }),
    puts: [put],
    adds: [refresh.grant, refresh.credential],
  })
  // Another request has used the code in the meantime, and the repeated call throws the right error.
  if (refusal !== undefined) return redeemCode(engine, caller, code, redirectUri, verifier, resources)
  await evictSessions(engine, pool, user)
  return { tokens, refreshToken: refresh.token, user }
}

/**
 * Returns whether a code verifier matches a code challenge (RFC 7636). A verifier without a challenge is refused,
 * because it indicates a downgrade attack.
 */
function isVerified(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier
  return isSame(challenge, createHash('sha256').update(verifier).digest('base64url'))
}

function invalidCode(): OAuthError {
  return new OAuthError('invalid_grant', 'The code is not valid.')
}
