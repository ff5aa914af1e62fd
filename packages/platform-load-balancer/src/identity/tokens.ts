import type { Clock } from '@signalbox/core'
import { UnreachableError } from './bounded-fetch.ts'
import type { PendingSignIn } from './pending-sign-in.ts'
import type { ProviderClient } from './provider-client.ts'
import type { Session } from './session-cookies.ts'

/** Claims of an identity token that say something about the token, not about the user. */
const aboutToken = new Set(
  'iss aud azp exp iat nbf nonce at_hash c_hash s_hash jti sid auth_time token_use origin_jti event_id'.split(
    ' ',
  ),
)

/**
 * Exchanges the code that a browser brings for a session. State, nonce, issuer, audience, expiry and PKCE are checked, and
 * the signature of the identity token where the provider publishes keys.
 * @param url the whole address that the browser asked for
 * @param state the state that the browser brings, which has been opened
 */
export async function sessionOf(
  client: ProviderClient,
  url: URL,
  state: string,
  { verifier, nonce, timeout }: PendingSignIn,
  now: number,
): Promise<Session> {
  const { authorizationCodeGrant } = await import('openid-client')
  const tokens = await authorizationCodeGrant(client.config, url, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: verifier,
    idTokenExpected: true,
  })
  const idToken = tokens.claims()!
  return {
    issuer: client.issuer,
    clientId: client.clientId,
    claims: await claimsOf(client, tokens.access_token, idToken.sub, idToken),
    ...timesOf(tokens, now),
    refreshToken: tokens.refresh_token,
    began: now,
    ends: now + timeout,
  }
}

/** A session with new tokens, or `refused` when the provider gives none. */
export type Refreshed = Session | 'refused'

/** Milliseconds for which requests with the old cookies get the session that the first of them has refreshed. */
const shared = 30_000

/** The maximum number of refreshed sessions that are kept. */
const mostKept = 1_000

/**
 * Returns a function that refreshes a session whose access token has expired. Requests that come together use the refresh
 * token once, because a provider can take a second use for a theft.
 */
export function refreshedSession(
  clock: Clock,
): (client: ProviderClient, session: Session) => Promise<Refreshed> {
  const known = new Map<string, { readonly refreshed: Promise<Refreshed>; readonly until: number }>()
  return (client, session) => {
    const now = clock.now()
    for (const [token, { until }] of known) {
      if (until > now && known.size <= mostKept) break
      known.delete(token)
    }
    const token = session.refreshToken!
    const found = known.get(token)
    if (found !== undefined) return found.refreshed
    const refreshed = refresh(client, session, clock.wall())
    known.set(token, { refreshed, until: now + shared })
    refreshed.catch(() => known.delete(token))
    return refreshed
  }
}

async function refresh(client: ProviderClient, session: Session, now: number): Promise<Refreshed> {
  const { refreshTokenGrant } = await import('openid-client')
  try {
    const tokens = await refreshTokenGrant(client.config, session.refreshToken!)
    const idToken = tokens.claims()
    const { sub } = session.claims
    if (idToken !== undefined && idToken.sub !== sub) return 'refused'
    return {
      ...session,
      claims: await claimsOf(client, tokens.access_token, sub, idToken ?? session.claims),
      ...timesOf(tokens, now),
      refreshToken: tokens.refresh_token ?? session.refreshToken,
    }
  } catch (error) {
    for (let at = error; at instanceof Error; at = at.cause) if (at instanceof UnreachableError) throw error
    return 'refused'
  }
}

function timesOf(
  { access_token, expires_in }: { readonly access_token: string; readonly expires_in?: number | undefined },
  now: number,
): Pick<Session, 'accessToken' | 'accessEnds'> {
  return {
    accessToken: access_token,
    accessEnds: expires_in === undefined ? undefined : now + expires_in * 1000,
  }
}

async function claimsOf(
  { config, hasUserInfo }: ProviderClient,
  accessToken: string,
  sub: string,
  others: { readonly [name: string]: unknown },
): Promise<Session['claims']> {
  if (hasUserInfo) {
    const { fetchUserInfo } = await import('openid-client')
    return { ...(await fetchUserInfo(config, accessToken, sub)) }
  }
  return { ...Object.fromEntries(Object.entries(others).filter(([name]) => !aboutToken.has(name))), sub }
}
