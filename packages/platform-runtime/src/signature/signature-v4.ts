import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { canonicalRequest, headerOf, queryOf, type SignableRequest } from './canonical-request.ts'
import { type HeaderLayout, hasLayout, headerLayout } from './header-layout.ts'
import { type HmacKey, hmacSha256 } from './hmac-sha256.ts'
import type { Credential, KeptKey, Scope, SigningKeys } from './signing-keys.ts'

/** A key for signing requests. */
export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface Signer {
  readonly accessKeyId: string
  readonly region: string
}

/** The reason why a signature is invalid. The names are those that AWS clients know, without `Exception`. */
export interface SignatureProblem {
  readonly problem:
    | 'MissingAuthenticationToken'
    | 'IncompleteSignature'
    | 'UnrecognizedClient'
    | 'InvalidSignature'
    | 'RequestExpired'
  readonly message: string
  /** Set when the signature was made with a wrong secret, because the client may be guessing secrets. */
  readonly isWrongSecret?: true
}

export interface SignatureCheck {
  /** Returns the secret of an access key. Returns undefined for an unknown key. */
  readonly secretOf: (accessKeyId: string) => string | undefined
  /** The service that requests are for, such as `sqs`. */
  readonly service: string
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Keeps derived keys between checks. */
  readonly keys?: SigningKeys
}

/** A request whose body may not have arrived. */
export type SignableHead = Omit<SignableRequest, 'body'>

/** A signature that has passed all checks for which the body is not needed. */
export interface SignatureClaim {
  readonly accessKeyId: string
  /** Checks the signature. `body` must be the received bytes, because the client's own digest proves nothing. */
  readonly verify: (body: Uint8Array) => Signer | SignatureProblem
}

const algorithm = 'AWS4-HMAC-SHA256'

/**
 * The maximum difference in milliseconds between the client's clock and this one. A request is valid only for that
 * long.
 */
const clockSkew = 15 * 60_000

/** The maximum number of seconds for which a presigned URL is valid: seven days. */
const longestLife = 604_800

/**
 * Checks the signature of a request: Signature Version 4 in the header `Authorization`, or in the query of a presigned
 * URL. `body` must be the received bytes, because the client's own digest proves nothing.
 * @example
 * const { method, url, rawHeaders } = request
 * const checked = verifySignature({ method, target: url, headers: rawHeaders, body }, { secretOf, service: 'sqs', now })
 * if ('problem' in checked) return refuse(checked)
 */
export function verifySignature(
  { body, ...head }: SignableRequest,
  check: SignatureCheck,
): Signer | SignatureProblem {
  const claim = signatureClaim(head, check)
  return 'problem' in claim ? claim : claim.verify(body)
}

/**
 * Does all checks of a signature for which the body is not needed, so that a server does not read the body of a request
 * without a key.
 */
export function signatureClaim(
  head: SignableHead,
  { secretOf, service, now, keys }: SignatureCheck,
): SignatureClaim | SignatureProblem {
  const read = readParameters(head, keys)
  if ('problem' in read) return read
  const { name, kept, accessKeyId, scope, signedHeaders, signature, time, life } = read
  const at = time === undefined ? undefined : timeOf(time)
  if (time === undefined || at === undefined)
    return incomplete(
      "Authorization header requires existence of a 'X-Amz-Date' header of the form 20261231T235959Z.",
    )
  const { headers } = head
  const isUsual = kept !== undefined && hasLayout(headers, kept.layout)
  const layout = isUsual ? kept.layout : headerLayout(headers, signedHeaders)
  if (layout.unsigned !== undefined)
    return invalid(`'${layout.unsigned}' must be a 'SignedHeader' in the AWS Authorization header.`)
  if (scope.date !== time.slice(0, 8))
    return invalid(
      `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${time}'.`,
    )
  if (scope.service !== service)
    return invalid(`Credential should be scoped to correct service: '${service}'.`)
  const secret = secretOf(accessKeyId)
  if (secret === undefined)
    return {
      problem: 'UnrecognizedClient',
      message: 'The security token included in the request is invalid.',
    }
  return {
    accessKeyId,
    verify(body) {
      const isSame = kept?.secret === secret
      const key = isSame ? kept.key : signingKeyOf(secret, scope)
      const { method, target } = head
      const expected = signatureOf({ method, target, headers, body }, layout, time, scope, key)
      if (!isSameSignature(expected, signature))
        return {
          ...invalid(
            'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
          ),
          isWrongSecret: true,
        }
      // Only clients with a correct signature add keys to the cache.
      if (!isSame || !isUsual) keys?.set(name, { accessKeyId, scope, signedHeaders, secret, key, layout })
      return outOfTime(time, at, life, now) ?? { accessKeyId, region: scope.region }
    },
  }
}

/**
 * Returns the problem of a request that is too old or too new.
 * @param life milliseconds for which a presigned URL is valid; undefined for a header
 */
function outOfTime(
  time: string,
  at: number,
  life: number | undefined,
  now: number,
): SignatureProblem | undefined {
  if (at > now + clockSkew)
    return invalid(
      `Signature not yet current: ${time} is still later than ${stamp(now + clockSkew)} (${stamp(now)} + 15 min.)`,
    )
  if (life !== undefined)
    return now > at + life ? { problem: 'RequestExpired', message: 'Request has expired.' } : undefined
  return at < now - clockSkew
    ? invalid(
        `Signature expired: ${time} is now earlier than ${stamp(now - clockSkew)} (${stamp(now)} - 15 min.)`,
      )
    : undefined
}

/**
 * Returns the headers that sign a request: `X-Amz-Date` and `Authorization`.
 * @param request with its `Host` header; every header is signed
 */
export function signatureHeaders(
  request: SignableRequest,
  { accessKeyId, secretAccessKey }: AccessKey,
  { region, service, now }: { readonly region: string; readonly service: string; readonly now: number },
): { readonly 'x-amz-date': string; readonly authorization: string } {
  const time = stamp(now)
  const dated = { ...request, headers: [...request.headers, 'x-amz-date', time] }
  const names = dated.headers.filter((_, at) => at % 2 === 0).map(name => name.toLowerCase())
  const signedHeaders = [...new Set(names)].sort().join(';')
  const scope = scopeOf(time.slice(0, 8), region, service)
  const layout = headerLayout(dated.headers, signedHeaders)
  const signature = signatureOf(dated, layout, time, scope, signingKeyOf(secretAccessKey, scope))
  return {
    'x-amz-date': time,
    authorization: `${algorithm} Credential=${accessKeyId}/${scope.text}, SignedHeaders=${signedHeaders}, Signature=${signature}`,
  }
}

/** The parts of a signature, in the header or in the query. */
interface SignatureParameters extends Credential {
  /** The text of the credential. */
  readonly name: string
  /** The key of an earlier request with this credential. */
  readonly kept: KeptKey | undefined
  readonly signature: string
  readonly time: string | undefined
  /** Milliseconds for which a presigned URL is valid. */
  readonly life: number | undefined
}

function readParameters(
  head: SignableHead,
  keys: SigningKeys | undefined,
): SignatureParameters | SignatureProblem {
  const authorization = headerOf(head, 'authorization')
  if (authorization !== undefined) return readAuthorization(authorization, headerOf(head, 'x-amz-date'), keys)
  const query = head.target.includes('X-Amz-') ? queryOf(head.target) : undefined
  if (query?.has('X-Amz-Algorithm')) return readQuery(query, keys)
  return { problem: 'MissingAuthenticationToken', message: 'Missing Authentication Token' }
}

/**
 * The form in which every known client writes the header. A single regular expression reads it in a third of the time.
 */
const usualAuthorization =
  /^AWS4-HMAC-SHA256 Credential=([^/,\s]{1,128})\/(\d{8})\/([\w-]{1,64})\/([\w-]{1,64})\/aws4_request, ?SignedHeaders=([^,=\s]+), ?Signature=[\da-f]{64}$/

function readAuthorization(
  header: string,
  time: string | undefined,
  keys: SigningKeys | undefined,
): SignatureParameters | SignatureProblem {
  const name = header.slice(0, -signatureLength)
  const signature = header.slice(-signatureLength)
  const kept = keys?.get(name)
  if (kept !== undefined && isSignature(signature)) {
    const { accessKeyId, scope, signedHeaders } = kept
    return { name, kept, accessKeyId, scope, signedHeaders, signature, time, life: undefined }
  }
  const usual = usualAuthorization.exec(header)
  if (usual !== null) {
    return {
      name,
      kept: undefined,
      accessKeyId: usual[1]!,
      scope: scopeOf(usual[2]!, usual[3]!, usual[4]!),
      signedHeaders: usual[5]!,
      signature,
      time,
      life: undefined,
    }
  }
  if (!header.startsWith(`${algorithm} `))
    return incomplete(`The Authorization header must begin with ${algorithm}.`)
  const parts = new Map(
    header
      .slice(algorithm.length)
      .split(',')
      .map(part => {
        const at = part.indexOf('=')
        return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const
      }),
  )
  for (const name of ['Credential', 'Signature', 'SignedHeaders'])
    if (!parts.get(name)) return incomplete(`Authorization header requires '${name}' parameter.`)
  return readParts(parts.get('Credential')!, parts.get('SignedHeaders')!, parts.get('Signature')!, time, keys)
}

/** Reads a presigned URL. A parameter that occurs twice is refused, because readers could choose different ones. */
function readQuery(
  query: ReadonlyMap<string, readonly string[]>,
  keys: SigningKeys | undefined,
): SignatureParameters | SignatureProblem {
  const one = (name: string) => (query.get(name)?.length === 1 ? query.get(name)![0] : undefined)
  if (one('X-Amz-Algorithm') !== algorithm)
    return incomplete(`X-Amz-Algorithm must be ${algorithm}, and occur once.`)
  const names = ['X-Amz-Credential', 'X-Amz-SignedHeaders', 'X-Amz-Signature', 'X-Amz-Expires'] as const
  for (const name of names)
    if (!one(name)) return incomplete(`A presigned URL requires the parameter ${name} once.`)
  const seconds = one('X-Amz-Expires')!
  if (!/^\d{1,6}$/.test(seconds) || Number(seconds) > longestLife)
    return incomplete(`X-Amz-Expires must be a number of seconds up to ${longestLife}.`)
  const [credential, signedHeaders, signature] = names.map(name => one(name)!) as [string, string, string]
  const read = readParts(credential, signedHeaders, signature, one('X-Amz-Date'), keys)
  return 'problem' in read ? read : { ...read, life: Number(seconds) * 1000 }
}

function readParts(
  credential: string,
  signedHeaders: string,
  signature: string,
  time: string | undefined,
  keys: SigningKeys | undefined,
): SignatureParameters | SignatureProblem {
  const [, accessKeyId, date, region, service] =
    /^([^/]{1,128})\/(\d{8})\/([\w-]{1,64})\/([\w-]{1,64})\/aws4_request$/.exec(credential) ?? []
  if (accessKeyId === undefined || date === undefined || region === undefined || service === undefined)
    return incomplete('Credential must have the form KEY/DATE/REGION/SERVICE/aws4_request.')
  if (!isSignature(signature))
    return incomplete("Authorization header requires 'Signature' parameter with 64 hexadecimal digits.")
  // No header is equal to this name, because a header has no line break.
  const name = `${credential}\n${signedHeaders}`
  return {
    name,
    kept: keys?.get(name),
    accessKeyId,
    scope: scopeOf(date, region, service),
    signedHeaders,
    signature,
    time,
    life: undefined,
  }
}

/** The number of hexadecimal digits of a signature. */
const signatureLength = 64

function isSignature(text: string): boolean {
  return /^[\da-f]{64}$/.test(text)
}

const compared = [Buffer.alloc(signatureLength), Buffer.alloc(signatureLength)] as const

/** Compares signatures in constant time. Buffers for each comparison would take more time than the comparison. */
function isSameSignature(one: string, other: string): boolean {
  compared[0].write(one, 'latin1')
  compared[1].write(other, 'latin1')
  return timingSafeEqual(...compared)
}

function signatureOf(
  request: SignableRequest,
  layout: HeaderLayout,
  time: string,
  scope: Scope,
  key: HmacKey,
): string {
  const digest = hash('sha256', canonicalRequest(request, layout))
  return key(`${algorithm}\n${time}\n${scope.text}\n${digest}`)
}

/** Returns the key that signs the requests of one day, region and service. */
function signingKeyOf(secret: string, { date, region, service }: Scope): HmacKey {
  const key = [date, region, service, 'aws4_request'].reduce<Buffer>(
    (derived, text) => createHmac('sha256', derived).update(text).digest(),
    Buffer.from(`AWS4${secret}`),
  )
  return hmacSha256(key)
}

function scopeOf(date: string, region: string, service: string): Scope {
  return { text: `${date}/${region}/${service}/aws4_request`, date, region, service }
}

/** Formats a time as signatures contain it: `20261231T235959Z`. */
function stamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** The character code of the digit 0. */
const zero = 48

function timeOf(time: string): number | undefined {
  if (!/^\d{8}T\d{6}Z$/.test(time)) return undefined
  const two = (from: number) => 10 * time.charCodeAt(from) + time.charCodeAt(from + 1) - 11 * zero
  return Date.UTC(100 * two(0) + two(2), two(4) - 1, two(6), two(9), two(11), two(13))
}

function incomplete(message: string): SignatureProblem {
  return { problem: 'IncompleteSignature', message }
}

function invalid(message: string): SignatureProblem {
  return { problem: 'InvalidSignature', message }
}
