import { type CodecOrSchema, validateAsync } from '@signalbox/codec'
import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import { decodeJwt, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { HttpError } from '../response/http-error.ts'
import { type Guard, guard } from '../routing/guard.ts'
import { issuerKeys } from './issuer-keys.ts'
import type { VerifiedClaims } from './verified-claims.ts'

/** Options of `bearer`. They say which tokens it accepts. */
export interface BearerOptions<Claims = unknown> {
  /** The `iss` claim of the tokens. The issuer publishes its keys below this URL. */
  readonly issuer: string
  /**
   * The accepted audiences. A token needs one of them in its `aud` claim. An access token without `aud`, such as a
   * token from a user pool, needs one of them as its `client_id`.
   */
  readonly audience: string | readonly string[]
  /** The kind of token that clients send. Default: `access`. A token that declares the other kind is refused. */
  readonly token?: 'access' | 'id'
  /** Checks the claims and gives them types. A token whose claims do not match is refused. */
  readonly claims?: CodecOrSchema<Claims>
  /** The URL of the issuer's key set. Default: the URL in the issuer's discovery document. */
  readonly keys?: string
  /** The number of seconds by which the clocks of the issuer and the function may differ. Default: 5. */
  readonly tolerance?: number
  /**
   * The URL of the metadata of the protected resource (RFC 9728), which challenges then name as `resource_metadata`. It
   * comes from `protectedResource()`. Tokens must then have the audience in `aud`. Default: none.
   */
  readonly metadata?: string
}

const optionNames = [
  'issuer',
  'audience',
  'token',
  'claims',
  'keys',
  'tolerance',
  'metadata',
] as const satisfies readonly (keyof BearerOptions)[]

/** A guard that accepts requests with a valid bearer token. Routes get the verified claims as `claims`. */
export interface Bearer<Claims = VerifiedClaims> extends Guard<{ readonly claims: Claims }> {
  /**
   * Returns a guard that also requires all these scopes. The answer to a valid token without one of these scopes is 403
   * with `insufficient_scope`. Both guards share the keys of the issuer.
   * @throws InvalidOptionError when no scope is given, and for a string that is not a scope
   */
  readonly withScopes: (...scopes: readonly [string, ...string[]]) => Guard<{ readonly claims: Claims }>
}

/** The accepted algorithms, which sign with a private key. Algorithms with a shared secret are not accepted. */
const algorithms = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

/**
 * Accepts requests with a valid token from an issuer: `Authorization: Bearer …` with a JSON web token. The guard checks
 * the signature with the published keys of the issuer, and the issuer, audience, expiry and kind of the token. The keys
 * are found by discovery, cached, and fetched again when the issuer has new keys.
 *
 * The guard answers 401 with `WWW-Authenticate: Bearer` to a request without a token, 401 with `invalid_token` to an
 * invalid token, 400 to a malformed header, and 403 to a token without a required scope (RFC 6750, section 3). It
 * answers 503 while the keys cannot be fetched.
 *
 * @example
 * const signedIn = bearer({
 *   issuer: 'https://issuer.example',
 *   audience: 'orders-api',
 *   claims: t.type({ sub: t.string, tenant: t.string }),
 * })
 *
 * get('/me', { guard: signedIn }, ({ claims }) => json(claims.tenant))
 * post('/orders', { guard: signedIn.withScopes('orders:write'), body: NewOrder }, ({ body }) => place(body))
 *
 * @throws InvalidOptionError for an unknown option, and for an issuer or audience that is missing or invalid
 */
export function bearer<Claims = unknown>(
  options: BearerOptions<Claims>,
): Bearer<unknown extends Claims ? VerifiedClaims : Claims & VerifiedClaims> {
  check(options)
  const verify = verifier(options)
  const guardFor = (scopes: readonly string[]) =>
    Object.assign(
      guard(async ({ headers }) => {
        try {
          const claims = await verify(tokenIn(headers.all('authorization')))
          refuseMissingScopes(claims, scopes)
          return { claims }
        } catch (error) {
          throw withMetadata(error, options.metadata)
        }
      }),
      // OpenAPI documents use this name to refer to the security scheme.
      { name: 'bearer' },
    )
  return Object.assign(guardFor([]), {
    withScopes(...scopes: readonly string[]) {
      if (scopes.length === 0) throw new InvalidOptionError('withScopes() takes at least one scope')
      const wrong = scopes.find(scope => !isScope(scope))
      if (wrong !== undefined) {
        throw new InvalidOptionError(
          `withScopes(): ${JSON.stringify(wrong)} is not one scope (RFC 6749, 3.3)`,
        )
      }
      return guardFor(scopes)
    },
  }) as never
}

function check(options: Omit<BearerOptions, 'claims'>): void {
  refuseUnknownOptions('bearer()', options, optionNames)
  const { issuer, audience, token, keys, tolerance = 0, metadata } = options
  if (!isAddress(issuer) || (new URL(issuer).protocol === 'http:' && !isThisMachine(new URL(issuer)))) {
    throw new InvalidOptionError(
      `bearer(): issuer is ${JSON.stringify(issuer)}, expected an https address; http is for this machine only`,
    )
  }
  const audiences = [audience].flat()
  if (audiences.length === 0 || audiences.some(each => typeof each !== 'string' || each === '')) {
    throw new InvalidOptionError('bearer(): audience is missing or empty, expected a name or a list of them')
  }
  if (token !== undefined && token !== 'access' && token !== 'id') {
    throw new InvalidOptionError(`bearer(): token is ${JSON.stringify(token)}, expected 'access' or 'id'`)
  }
  if (keys !== undefined && !isAddress(keys)) {
    throw new InvalidOptionError(`bearer(): keys is ${JSON.stringify(keys)}, expected an address`)
  }
  if (metadata !== undefined && (!isAddress(metadata) || /["\\\s]/.test(metadata))) {
    throw new InvalidOptionError(`bearer(): metadata is ${JSON.stringify(metadata)}, expected an address`)
  }
  if (!(Number.isFinite(tolerance) && tolerance >= 0)) {
    throw new InvalidOptionError(`bearer(): tolerance is ${tolerance}, expected seconds, 0 or more`)
  }
}

function isAddress(value: unknown): boolean {
  return typeof value === 'string' && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)
}

function isThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname)
}

/** Returns whether a value is a scope (RFC 6749, section 3.3). */
function isScope(value: unknown): boolean {
  return typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value)
}

/** Returns the bearer token. Throws HttpError 401 if there is no token, and 400 for a malformed header. */
function tokenIn(headers: readonly string[]): string {
  const sent = headers.filter(value => /^bearer(?:\s|$)/i.test(value))
  if (sent.length === 0) {
    throw new HttpError(401, 'A bearer token is missing', { headers: { 'www-authenticate': 'Bearer' } })
  }
  const token = /^bearer +([\w.~+/-]+=*) *$/i.exec(sent[0]!)?.[1]
  if (headers.length > 1 || token === undefined) {
    throw refusal(400, 'invalid_request', 'The Authorization header is not one bearer token')
  }
  return token
}

/** Throws HttpError 403 if the token lacks one of the scopes. */
function refuseMissingScopes({ scope, scp }: VerifiedClaims, needed: readonly string[]): void {
  const claim = scope ?? scp
  const scopes = Array.isArray(claim) ? claim : typeof claim === 'string' ? claim.split(' ') : []
  if (needed.every(each => scopes.includes(each))) return
  throw refusal(403, 'insufficient_scope', 'The token lacks a scope', `, scope="${needed.join(' ')}"`)
}

/** Returns an error response according to RFC 6750, section 3. */
function refusal(status: number, error: string, description: string, more = ''): HttpError {
  const challenge = `Bearer error="${error}", error_description="${description}"${more}`
  return new HttpError(status, description, { headers: { 'www-authenticate': challenge } })
}

/** Adds the URL of the metadata to the challenge in an error (RFC 9728, 5.1). */
function withMetadata(error: unknown, metadata: string | undefined): unknown {
  const challenge = error instanceof HttpError ? error.headers['www-authenticate'] : undefined
  if (metadata === undefined || challenge === undefined) return error
  const { statusCode, message } = error as HttpError
  const named = `${challenge}${challenge === 'Bearer' ? '' : ','} resource_metadata="${metadata}"`
  return new HttpError(statusCode, message, { headers: { 'www-authenticate': named } })
}

/** Returns a function that checks a token and returns its claims. */
function verifier<Claims>({
  issuer,
  audience,
  token: kind = 'access',
  claims: codec,
  keys: address,
  tolerance = 5,
  metadata,
}: BearerOptions<Claims>): (token: string) => Promise<VerifiedClaims> {
  const audiences = [audience].flat()
  const keys: JWTVerifyGetKey = issuerKeys(issuer, address === undefined ? undefined : new URL(address))
  let isLogged = false
  const logSlash = (iss: unknown) => {
    if (isLogged || typeof iss !== 'string' || withoutSlash(iss) !== withoutSlash(issuer)) return
    isLogged = true
    console.warn(
      `bearer(): issuer is ${JSON.stringify(issuer)}, but tokens name ${JSON.stringify(iss)}: write it so`,
    )
  }
  return async token => {
    try {
      // The issuer is checked before the key is looked up, because a token from another issuer must not cause a fetch.
      const { iss } = decodeJwt(token)
      if (iss !== issuer) {
        logSlash(iss)
        throw refused('The token is of another issuer')
      }
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer,
        algorithms,
        requiredClaims: ['exp'],
        clockTolerance: tolerance,
      })
      if (!isOfKind(kind, protectedHeader.typ, payload)) throw refused(`The token is not an ${kind} token`)
      const isOfClient = kind === 'access' && metadata === undefined
      const named = payload.aud ?? (isOfClient ? payload.client_id : undefined)
      if (![named].flat().some(each => audiences.includes(each as string)))
        throw refused('The token is for another audience')
      if (codec === undefined) return payload as VerifiedClaims
      const checked = await validateAsync(codec, payload)
      if (checked._tag === 'Left')
        throw refused('The token lacks a claim, or has another value than expected')
      // The original claims are kept, because a codec can drop claims that it does not name.
      return { ...payload, ...checked.right } as VerifiedClaims
    } catch (error) {
      if (error instanceof errors.JWTExpired) throw refused('The token has expired')
      // The new error has no cause, because the cause would contain the claims.
      if (error instanceof errors.JOSEError) throw refused('The token is not valid')
      throw error
    }
  }
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '')
}

/** Returns whether a token is of this kind, or does not declare a kind. */
function isOfKind(kind: 'access' | 'id', typ: string | undefined, { token_use: use }: JWTPayload): boolean {
  const type = typ?.toLowerCase().replace(/^application\//, '') ?? 'jwt'
  // RFC 9068 defines a type for access tokens. Tokens of other types, such as logout+jwt, do not sign a user in.
  if (type !== 'jwt' && !(type === 'at+jwt' && kind === 'access')) return false
  return use === undefined || use === kind
}

function refused(description: string): HttpError {
  return refusal(401, 'invalid_token', description)
}
