import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { canonicalRequest, headerOf, type SignableRequest } from './canonical-request.ts'

/** A key for signing requests. */
export interface AccessKey {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The signer of a request. */
export interface Signer {
  readonly accessKeyId: string
  readonly region: string
}

/** The reason why a signature is invalid. The names are those that stock clients know, without `Exception`. */
export interface SignatureProblem {
  readonly problem:
    | 'MissingAuthenticationToken'
    | 'IncompleteSignature'
    | 'UnrecognizedClient'
    | 'InvalidSignature'
  readonly message: string
}

/** The context of a check. */
export interface SignatureCheck {
  /** The secret of an access key. Undefined for an unknown key. */
  readonly secretOf: (accessKeyId: string) => string | undefined
  /** The service that requests are for, such as `sqs`. */
  readonly service: string
  /** Milliseconds since the epoch. */
  readonly now: number
}

const algorithm = 'AWS4-HMAC-SHA256'

/** Milliseconds by which a client's clock may differ. A request is valid only for that long. */
const clockSkew = 15 * 60_000

/**
 * Checks the signature of a request: Signature Version 4 in the header `Authorization`. `body` must be the received
 * bytes, because the client's own digest proves nothing.
 * @example
 * const { method, url, rawHeaders } = request
 * const checked = verifySignature({ method, target: url, headers: rawHeaders, body }, { secretOf, service: 'sqs', now })
 * if ('problem' in checked) return refuse(checked)
 */
export function verifySignature(
  request: SignableRequest,
  { secretOf, service, now }: SignatureCheck,
): Signer | SignatureProblem {
  const authorization = headerOf(request, 'authorization')
  if (authorization === undefined)
    return { problem: 'MissingAuthenticationToken', message: 'Missing Authentication Token' }
  const read = readAuthorization(authorization)
  if ('problem' in read) return read
  const { accessKeyId, scope, signedHeaders, signature } = read
  const time = headerOf(request, 'x-amz-date')
  const at = time === undefined ? undefined : timeOf(time)
  if (time === undefined || at === undefined)
    return incomplete(
      "Authorization header requires existence of a 'X-Amz-Date' header of the form 20261231T235959Z.",
    )
  const unsigned = unsignedHeader(request, signedHeaders)
  if (unsigned !== undefined)
    return invalid(`'${unsigned}' must be a 'SignedHeader' in the AWS Authorization header.`)
  if (scope.date !== time.slice(0, 8))
    return invalid(
      `Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: '${time}'.`,
    )
  if (scope.service !== service)
    return invalid(`Credential should be scoped to correct service: '${service}'.`)
  const secret = secretOf(accessKeyId)
  const expected = signatureOf(request, time, scope, signedHeaders, secret ?? '')
  const isRight = timingSafeEqual(Buffer.from(expected), Buffer.from(signature))
  if (secret === undefined)
    return {
      problem: 'UnrecognizedClient',
      message: 'The security token included in the request is invalid.',
    }
  if (!isRight)
    return invalid(
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
    )
  if (Math.abs(now - at) > clockSkew) {
    const limit = stamp(at < now ? now - clockSkew : now + clockSkew)
    return at < now
      ? invalid(`Signature expired: ${time} is now earlier than ${limit} (${stamp(now)} - 15 min.)`)
      : invalid(`Signature not yet current: ${time} is still later than ${limit} (${stamp(now)} + 15 min.)`)
  }
  return { accessKeyId, region: scope.region }
}

/**
 * The headers that sign a request: `X-Amz-Date` and `Authorization`.
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
  const signedHeaders = [...new Set(names)].sort()
  const scope = { date: time.slice(0, 8), region, service }
  const signature = signatureOf(dated, time, scope, signedHeaders, secretAccessKey)
  return {
    'x-amz-date': time,
    authorization: `${algorithm} Credential=${accessKeyId}/${scopeText(scope)}, SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`,
  }
}

/** The scope in which a signature is valid: its day, region and service. */
interface Scope {
  readonly date: string
  readonly region: string
  readonly service: string
}

interface Authorization {
  readonly accessKeyId: string
  readonly scope: Scope
  readonly signedHeaders: readonly string[]
  readonly signature: string
}

function readAuthorization(header: string): Authorization | SignatureProblem {
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
  const credential = /^([^/]{1,128})\/(\d{8})\/([\w-]{1,64})\/([\w-]{1,64})\/aws4_request$/.exec(
    parts.get('Credential')!,
  )
  if (credential === null)
    return incomplete('Credential must have the form KEY/DATE/REGION/SERVICE/aws4_request.')
  const signature = parts.get('Signature')!
  if (!/^[\da-f]{64}$/.test(signature))
    return incomplete("Authorization header requires 'Signature' parameter with 64 hexadecimal digits.")
  const [, accessKeyId, date, region, service] = credential as unknown as readonly [
    string,
    string,
    string,
    string,
    string,
  ]
  return {
    accessKeyId,
    scope: { date, region, service },
    signedHeaders: parts.get('SignedHeaders')!.split(';'),
    signature,
  }
}

/** The name of an important header without a signature. */
function unsignedHeader({ headers }: SignableRequest, signed: readonly string[]): string | undefined {
  if (!signed.includes('host')) return 'Host'
  return headers.find(
    (name, at) =>
      at % 2 === 0 && /^x-amz-(?!security-token$)/i.test(name) && !signed.includes(name.toLowerCase()),
  )
}

function signatureOf(
  request: SignableRequest,
  time: string,
  scope: Scope,
  signedHeaders: readonly string[],
  secret: string,
): string {
  const canonical = canonicalRequest(request, signedHeaders)
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = [algorithm, time, scopeText(scope), digest].join('\n')
  return hmac(signingKey(secret, scope), text).toString('hex')
}

function signingKey(secret: string, { date, region, service }: Scope): Buffer {
  return [date, region, service, 'aws4_request'].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`))
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}

function scopeText({ date, region, service }: Scope): string {
  return `${date}/${region}/${service}/aws4_request`
}

/** A time in the form of signatures: `20261231T235959Z`. */
function stamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

function timeOf(time: string): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(time)
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  return Date.UTC(year, month - 1, day, hour, minute, second)
}

function incomplete(message: string): SignatureProblem {
  return { problem: 'IncompleteSignature', message }
}

function invalid(message: string): SignatureProblem {
  return { problem: 'InvalidSignature', message }
}
