import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import {
  canonicalRequest,
  type SignableHead,
  type SignableRequest,
  type SignedBody,
} from './canonical-request.ts'
import { type HeaderLayout, hasLayout, headerLayout } from './header-layout.ts'
import { type HmacKey, hmacSha256 } from './hmac-sha256.ts'
import { algorithm, readParameters, scopeOf, signatureLength } from './signature-parameters.ts'
import { incomplete, invalid, type SignatureProblem } from './signature-problem.ts'
import type { Scope, SigningKeys } from './signing-keys.ts'

/** A key for signing requests. */
export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

export interface Signer {
  readonly accessKeyId: string
  readonly region: string
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

/** A signature that has passed all checks for which the body is not needed. */
export interface SignatureClaim {
  readonly accessKeyId: string
  /**
   * Checks the signature. `body` must be the received bytes, because the client's own digest proves nothing. It is a text
   * for a body that the signature does not cover as a whole: `UNSIGNED-PAYLOAD`, or the name of a form with signed chunks.
   */
  readonly verify: (body: SignedBody) => Signer | SignatureProblem
  /** The signature of the head, which the first chunk of a body with signed chunks refers to. */
  readonly signature: string
  /**
   * Returns the expected signature of a chunk of the body, or of the trailer after the last chunk.
   * @param previous the signature of the chunk before it
   */
  readonly chunkSignature: (kind: 'PAYLOAD' | 'TRAILER', previous: string, content: Uint8Array) => string
}

/**
 * The maximum difference in milliseconds between the client's clock and this one. A request is valid only for that
 * long.
 */
const clockSkew = 15 * 60_000

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
 * Does all checks of a signature for which the body is not needed, so that a server need not read the body of a
 * request without a known key.
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
  const isSame = kept?.secret === secret
  let key: HmacKey | undefined
  const signingKey = () => {
    key ??= isSame ? kept.key : signingKeyOf(secret, scope)
    return key
  }
  return {
    accessKeyId,
    signature,
    chunkSignature(kind, previous, content) {
      const digests = [...(kind === 'PAYLOAD' ? [hash('sha256', '')] : []), hash('sha256', content)]
      const text = [`${algorithm}-${kind}`, time, scope.text, previous, ...digests].join('\n')
      return signingKey()(text)
    },
    verify(body) {
      const key = signingKey()
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
  const digest = hash('sha256', canonicalRequest(request, layout, scope.service === 's3'))
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

/** Formats a time as signatures contain it: `20261231T235959Z`. */
function stamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

/** The character code of the digit 0. */
const zero = 48

/** The latest time that was read. All requests of a second contain the same time. */
let latest: { readonly time: string; readonly at: number } | undefined

function timeOf(time: string): number | undefined {
  if (time === latest?.time) return latest.at
  if (!/^\d{8}T\d{6}Z$/.test(time)) return undefined
  const two = (from: number) => 10 * time.charCodeAt(from) + time.charCodeAt(from + 1) - 11 * zero
  const at = Date.UTC(100 * two(0) + two(2), two(4) - 1, two(6), two(9), two(11), two(13))
  latest = { time, at }
  return at
}
