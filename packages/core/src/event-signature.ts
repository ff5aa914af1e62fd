import { createHmac, timingSafeEqual } from 'node:crypto'
import { InvalidOptionError } from './errors.ts'

/** The headers that sign an event according to Standard Webhooks. Proxies can change the case of the header names. */
export interface SignatureHeaders {
  /** The request id of the invocation. It is the same for every attempt. */
  readonly 'webhook-id': string
  /** Seconds since the epoch. */
  readonly 'webhook-timestamp': string
  readonly 'webhook-signature': string
}

/** A signed event as it was received. */
export interface SignedEvent {
  readonly headers: { readonly [name: string]: string | readonly string[] | undefined }
  /** The body as it was received, before it is parsed. */
  readonly body: string | Uint8Array
  /** The shared secret, or several secrets while one is being replaced. See {@link isSigningSecret}. */
  readonly secret: string | readonly string[]
  /** The seconds by which the time of the signature may differ from `now`. Default 300. */
  readonly tolerance?: number
  /** Milliseconds since the epoch. Default: the system time. */
  readonly now?: number
}

/** The minimum length of a secret. A shorter one can be guessed from one captured event. */
const shortestSecret = 16

/** What `isSigningSecret()` accepts, for error messages. */
export const signingSecretName = `a secret of at least ${shortestSecret} characters, or whsec_ and ${shortestSecret} bytes in base64`

/**
 * Returns whether a platform takes a value as the secret that signs events: a text of at least 16 characters. If it
 * begins with `whsec_`, the rest is the base64 of at least 16 bytes.
 * @example
 * ```ts
 * import { isSigningSecret } from '@signalbox/core/event-signature'
 *
 * isSigningSecret('a text that is long enough') // true
 * isSigningSecret('short') // false
 * ```
 */
export function isSigningSecret(secret: unknown): secret is string {
  if (typeof secret !== 'string') return false
  const encoded = /^whsec_(.*)$/s.exec(secret)?.[1]
  if (encoded === undefined) return secret.length >= shortestSecret
  return /^[\w+/-]+={0,2}$/.test(encoded) && Buffer.from(encoded, 'base64').length >= shortestSecret
}

/**
 * Returns the headers that sign an event for an HTTP endpoint: an HMAC-SHA256 of the id, the time and the body, in the
 * format of Standard Webhooks.
 * @param secret the shared secret. If it begins with `whsec_`, the rest is read as base64.
 * @param now milliseconds since the epoch
 * @throws InvalidOptionError if the secret is missing or empty
 * @example
 * ```ts
 * import { signatureHeaders } from '@signalbox/core/event-signature'
 *
 * const secret = 'a text that is long enough'
 * const body = JSON.stringify({ Records: [] })
 * const headers = signatureHeaders(secret, { id: crypto.randomUUID(), body, now: Date.now() })
 * await fetch('http://127.0.0.1:8080/', { method: 'POST', headers: { ...headers }, body })
 * ```
 */
export function signatureHeaders(
  secret: string,
  { id, body, now }: { readonly id: string; readonly body: string | Uint8Array; readonly now: number },
): SignatureHeaders {
  checkSecret('signatureHeaders()', secret)
  const time = `${Math.floor(now / 1000)}`
  return {
    'webhook-id': id,
    'webhook-timestamp': time,
    'webhook-signature': `v1,${digest(secret, id, time, body).toString('base64')}`,
  }
}

/**
 * Returns whether an event was signed with the secret at a time within the tolerance. Within that time, an attacker who
 * has seen the event can send it again. Compare `webhook-id` with earlier ids to detect repetitions. Never throws because
 * of what was received.
 * @throws InvalidOptionError for every event if a secret is missing or empty, because anyone could sign with it
 *
 * @example
 * createServer(async (request, response) => {
 *   const body = await text(request)
 *   if (!hasValidSignature({ headers: request.headers, body, secret })) return response.writeHead(401).end()
 *   response.end(JSON.stringify(await handler(JSON.parse(body), context)))
 * })
 */
export function hasValidSignature({
  headers,
  body,
  secret,
  tolerance = 300,
  now = Date.now(),
}: SignedEvent): boolean {
  const secrets = [secret].flat()
  // An endpoint without a usable secret fails with its first request, whether that request is signed or not.
  if (secrets.length === 0) checkSecret('hasValidSignature()', undefined)
  for (const each of secrets) checkSecret('hasValidSignature()', each)
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(name =>
    headerOf(headers, name),
  )
  if (id === undefined || time === undefined || signatures === undefined || !/^\d{1,12}$/.test(time))
    return false
  if (Math.abs(now / 1000 - Number(time)) > tolerance) return false
  const given = signatures
    .split(' ')
    .filter(each => each.startsWith('v1,'))
    .map(each => Buffer.from(each.slice(3), 'base64'))
  return secrets.some(each => {
    const expected = digest(each, id, time, body)
    return given.some(one => one.length === expected.length && timingSafeEqual(one, expected))
  })
}

/** Refuses a secret without a single byte, without showing it. Platforms refuse more: see `isSigningSecret`. */
function checkSecret(where: string, secret: unknown): void {
  if (typeof secret === 'string' && keyOf(secret).length > 0) return
  const actual = typeof secret === 'string' ? 'an empty text' : secret === null ? 'null' : typeof secret
  throw new InvalidOptionError(`${where} needs ${signingSecretName}, not ${actual}.`)
}

function headerOf(headers: SignedEvent['headers'], name: string): string | undefined {
  const found = headers[name] ?? headers[Object.keys(headers).find(key => key.toLowerCase() === name) ?? name]
  return typeof found === 'string' ? found : undefined
}

function keyOf(secret: string): Buffer {
  return secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret)
}

function digest(secret: string, id: string, time: string, body: string | Uint8Array): Buffer {
  return createHmac('sha256', keyOf(secret)).update(`${id}.${time}.`).update(body).digest()
}
