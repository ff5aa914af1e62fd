import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import { type CryptoKey, errors, importSPKI, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { HttpError } from '../response/http-error.ts'
import { type Guard, guard } from '../routing/guard.ts'

/** Options of `balancerIdentity`. */
export interface BalancerIdentityOptions {
  /** The accepted `signer` values in a token. On AWS, this is the ARN of the load balancer. */
  readonly signer: string | readonly string[]
  /**
   * Returns the URL at which the load balancer publishes the public key with this id, in PEM format. For AWS, use
   * `balancerKeys(signer)` of `@signalbox/aws`.
   */
  readonly keys: (keyId: string) => string
  /**
   * The `iss` that a token must have: the identity provider of the load balancer. Without this option, `iss` is not
   * checked.
   */
  readonly issuer?: string
  /**
   * The client id that a token must have: the client id of the load balancer at its provider. Without this option,
   * the client id is not checked.
   */
  readonly client?: string | readonly string[]
  /**
   * The number of seconds by which the clocks of the load balancer and the function may differ. Default: 5.
   */
  readonly tolerance?: number
}

/** The identity provider's claims about the user. */
export interface BalancerIdentity {
  readonly sub: string
  readonly [claim: string]: unknown
}

const header = 'x-cloud-oidc-data'
const optionNames = ['signer', 'keys', 'issuer', 'client', 'tolerance'] as const

/**
 * Accepts requests that an authenticating load balancer has signed. The load balancer puts the claims about the user
 * into a header (`x-cloud-oidc-data`, on AWS `x-amzn-oidc-data`) as a JSON web token. The guard checks the signature
 * (ES256), the signer, the expiry and, if the options name them, the issuer and the client, all of which are in the
 * header of the token. Each key is fetched once. Without this check, do not trust the header if clients can bypass the
 * load balancer.
 *
 * The answer to a request without the header or with an invalid token is 401. While a key cannot be fetched, the answer
 * is 503.
 *
 * @example
 * const arn = 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188'
 * const user = balancerIdentity({ signer: arn, keys: balancerKeys(arn) })
 *
 * get('/me', { guard: user }, ({ identity }) => json(identity.email))
 *
 * @throws InvalidOptionError for an unknown option, a missing signer and missing keys
 */
export function balancerIdentity(
  options: BalancerIdentityOptions,
): Guard<{ readonly identity: BalancerIdentity }> {
  refuseUnknownOptions('balancerIdentity()', options, optionNames)
  const { signer, keys, issuer, client, tolerance = 5 } = options
  const signers = [signer].flat()
  if (signers.length === 0 || signers.some(each => typeof each !== 'string' || each === '')) {
    throw new InvalidOptionError(
      'balancerIdentity(): signer is missing or empty, expected the name of a load balancer or a list of them',
    )
  }
  if (typeof keys !== 'function') {
    throw new InvalidOptionError(
      'balancerIdentity(): keys is missing, expected a function from the id of a key to its address',
    )
  }
  const clients = client === undefined ? undefined : [client].flat()
  const keyOf = publishedKeys(keys)

  const checked = guard(async ({ headers }) => {
    const [token, ...others] = headers.all(header)
    if (token === undefined) throw new HttpError(401, 'Sign in first')
    // If the header occurs twice, a client might have sent one of the two values.
    if (others.length > 0) throw refused()
    return { identity: await verify(token) }
  })
  return Object.assign(checked, { name: 'balancer-identity' })

  async function verify(token: string): Promise<BalancerIdentity> {
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        // The signer is checked before the key is looked up, because a token from another signer must not cause a
        // fetch.
        async (header, jws) => {
          if (!signers.includes(header.signer as string)) throw refused()
          return keyOf(header, jws)
        },
        { algorithms: ['ES256'], clockTolerance: tolerance },
      )
      const {
        iss,
        client: ofClient,
        exp,
      } = protectedHeader as { iss?: unknown; client?: unknown; exp?: unknown }
      const expired = !(typeof exp === 'number' && exp + tolerance > Date.now() / 1000)
      if (expired || typeof payload.sub !== 'string') throw refused()
      if (issuer !== undefined && iss !== issuer) throw refused()
      if (clients !== undefined && !clients.includes(ofClient as string)) throw refused()
      return payload as JWTPayload & { readonly sub: string }
    } catch (error) {
      // The new error has no cause, because the cause would contain the claims.
      if (error instanceof errors.JOSEError || error instanceof SyntaxError) throw refused()
      throw error
    }
  }
}

function refused(): HttpError {
  return new HttpError(401, 'The identity of the load balancer is not valid')
}

/** Matches key ids that are safe in a URL. Any other character could change the URL. */
const safeId = /^[\w-]{1,100}$/

/** The maximum number of cached keys. It can be small, because load balancers seldom change their keys. */
const mostKeys = 20

/** The time-out of a request for a key, in milliseconds. */
const fetchTimeout = 5_000

function publishedKeys(addressOf: (keyId: string) => string): JWTVerifyGetKey {
  const known = new Map<string, Promise<CryptoKey>>()
  return async ({ kid }) => {
    if (kid === undefined || !safeId.test(kid)) throw refused()
    let key = known.get(kid)
    if (key === undefined) {
      key = fetchKey(addressOf(kid))
      known.set(kid, key)
      if (known.size > mostKeys) known.delete(known.keys().next().value!)
      key.catch(() => known.delete(kid))
    }
    return key
  }
}

async function fetchKey(address: string): Promise<CryptoKey> {
  let text: string
  try {
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(fetchTimeout) })
    // The key does not exist, so the token is invalid.
    if (response.status === 403 || response.status === 404) throw refused()
    if (response.status !== 200) throw new Error(`${address} answered with ${response.status}, expected 200`)
    text = await response.text()
  } catch (cause) {
    if (cause instanceof HttpError) throw cause
    throw new HttpError(503, 'The key of the load balancer could not be fetched', {
      headers: { 'retry-after': '3' },
      cause,
    })
  }
  return importSPKI(text, 'ES256')
}
