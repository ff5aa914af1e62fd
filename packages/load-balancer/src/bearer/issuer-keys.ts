import { systemClock } from '@signalbox/core'
import { createRemoteJWKSet, customFetch, errors, type FetchImplementation, type JWTVerifyGetKey } from 'jose'
import { HttpError } from '../response/http-error.ts'

/** The number of milliseconds after which keys are fetched again, so that a withdrawn key becomes invalid. */
const freshFor = 10 * 60_000

/** For this many milliseconds after a fetch, a token with an unknown key does not cause another fetch. */
const cooldown = 30_000

/** For this many milliseconds after a failed fetch, the keys are not fetched again. */
const failureCooldown = 3_000

/** The time-out of a request to an issuer, in milliseconds. */
const fetchTimeout = 5_000

/** The value of `retry-after`: the seconds after which clients may try again. */
const retryAfter = '3'

/**
 * Returns a function that finds the issuer's key for a token. The keys are fetched for the first token, and then
 * cached. A token with an unknown key causes another fetch, but at most twice a minute, so that forged tokens cannot
 * flood the issuer with requests.
 * @param address the URL of the key set, or undefined to find it by discovery (OpenID Connect Discovery 1.0, section 4)
 */
export function issuerKeys(issuer: string, address: URL | undefined): JWTVerifyGetKey {
  const fetchOnce = restingAfterFailure(fetch)
  let keySet: Promise<JWTVerifyGetKey> | undefined
  const find = async () =>
    createRemoteJWKSet(address ?? (await discover(issuer, fetchOnce)), {
      cacheMaxAge: freshFor,
      cooldownDuration: cooldown,
      timeoutDuration: fetchTimeout,
      [customFetch]: fetchOnce,
    })
  return async (header, token) => {
    try {
      keySet ??= find()
      const keys = await keySet.catch(error => {
        keySet = undefined
        throw error
      })
      return await keys(header, token)
    } catch (error) {
      if (error instanceof errors.JOSEError && saysTokenIsWrong.has(error.code)) throw error
      throw new HttpError(503, `The keys of ${issuer} could not be fetched`, {
        headers: { 'retry-after': retryAfter },
        cause: error,
      })
    }
  }
}

/**
 * The error codes that mean that the issuer has no key for a token. All other codes report that fetching the
 * keys failed.
 */
const saysTokenIsWrong: ReadonlySet<string> = new Set([
  errors.JWKSNoMatchingKey.code,
  errors.JWKSMultipleMatchingKeys.code,
  errors.JOSENotSupported.code,
])

/**
 * Returns the URL of the issuer's key set. Throws if the discovery document cannot be fetched or names another issuer.
 */
async function discover(issuer: string, fetchOnce: FetchImplementation): Promise<URL> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const response = await fetchOnce(address, {
    method: 'GET',
    headers: new Headers({ accept: 'application/json' }),
    redirect: 'manual',
    signal: AbortSignal.timeout(fetchTimeout),
  })
  if (response.status !== 200) throw new Error(`${address} answered with ${response.status}, expected 200`)
  const found = (await response.json()) as { readonly issuer?: unknown; readonly jwks_uri?: unknown } | null
  if (found?.issuer !== issuer)
    throw new Error(`${address} is about the issuer ${JSON.stringify(found?.issuer)}, expected ${issuer}`)
  if (typeof found.jwks_uri !== 'string' || !URL.canParse(found.jwks_uri))
    throw new Error(`${address} has no jwks_uri`)
  return new URL(found.jwks_uri)
}

/**
 * Returns a fetch function that throws the same error again for a while after a failure, without sending a request.
 */
function restingAfterFailure(fetchNow: FetchImplementation): FetchImplementation {
  let failed: { readonly error: unknown; readonly until: number } | undefined
  return async (url, options) => {
    if (failed !== undefined && systemClock.now() < failed.until) throw failed.error
    try {
      const response = await fetchNow(url, options)
      if (response.status !== 200) throw new Error(`${url} answered with ${response.status}, expected 200`)
      failed = undefined
      return response
    } catch (error) {
      failed = { error, until: systemClock.now() + failureCooldown }
      throw error
    }
  }
}
