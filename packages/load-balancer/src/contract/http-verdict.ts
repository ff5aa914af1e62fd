import { compile, formatProblems, isObject, type Problem, problems } from '@signalbox/codec'
import { readAnswer, readPayload } from '@signalbox/core/payload'
import type { LoadBalancerEvent } from './event.ts'
import { headBytes } from './head-bytes.ts'
import { isFieldValue } from './header-field.ts'
import { headerLines } from './header-lines.ts'
import { malformedStatus, maxResponseBytes, maxResponseHeadBytes } from './limits.ts'
import { lostCookies, lostHeaders } from './lost-fields.ts'
import { isMultiValue } from './multi-value.ts'
import { refusal } from './refusal.ts'
import { type LoadBalancerResponse, MultiValueResponse, SingleValueResponse } from './response.ts'
import { isWithoutContent, reasonOf, reasonPhrase } from './status.ts'
import { isBase64 } from './text-body.ts'

/** A header line. */
export type HeaderLine = readonly [name: string, value: string]

/** An HTTP response, ready to be written. */
export interface HttpResponse {
  /** The status line, such as `HTTP/1.1 200 OK`. */
  readonly statusLine: string
  readonly status: number
  /** The reason phrase of the status line. */
  readonly reason: string
  /**
   * The header lines, in order. They include `content-length`, except in responses that never have a body.
   */
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array
  /** The body as a string, if it is text. In that case, `body` is empty. */
  readonly text?: string | undefined
}

/**
 * The verdict of the load balancer: the function `answered`, the request was `refused` before the function was called,
 * or the payload is `malformed` and cannot become a response. In all three cases, the client gets an HTTP response.
 */
export type HttpVerdict =
  | (HttpResponse & { readonly kind: 'answered' })
  | (HttpResponse & { readonly kind: 'refused'; readonly why: string })
  | (HttpResponse & {
      readonly kind: 'malformed'
      readonly why: string
      readonly problems: readonly Problem[]
    })

/**
 * Returns the HTTP response that the load balancer makes from a payload. See
 * docs/contract/load-balancer.md#verdict.answered. Never throws.
 * @example
 * ```ts
 * import { httpVerdict, requestEvent } from '@signalbox/load-balancer/contract'
 *
 * const group = { targetGroupArn: 'arn:cloud:target-group/shop', multiValue: false }
 * const event = requestEvent({ method: 'GET', path: '/' }, group)
 * const answer = { statusCode: 200, statusDescription: 'OK', isBase64Encoded: false }
 * httpVerdict(JSON.stringify(answer), event).statusLine // 'HTTP/1.1 200 OK'
 * httpVerdict('{"status":200}', event).kind // 'malformed'
 * ```
 */
export function httpVerdict(payload: string, event: LoadBalancerEvent): HttpVerdict {
  const refused = refusal(event)
  if (refused) return { kind: 'refused', ...plain(refused.status, refused.why), why: refused.why }
  // A character has at most three bytes, so short payloads need no exact count.
  if (payload.length * 3 > maxResponseBytes && Buffer.byteLength(payload) > maxResponseBytes) {
    return malformed(
      `the payload has more than ${maxResponseBytes} bytes: put large content into storage, and answer with a redirect to it`,
    )
  }
  const read = readPayload(payload)
  if (read.kind === 'malformed') return malformed(read.why)
  return readVerdict(read, event, bytesOf)
}

/**
 * Returns the same verdict as `httpVerdict`, for a payload that is already parsed and within the size limit. A text
 * body remains a string, because encoding a long string takes longer than all other steps, and the stream encodes it
 * anyway.
 * @example
 * ```ts
 * import { httpValueVerdict, requestEvent } from '@signalbox/load-balancer/contract'
 *
 * const group = { targetGroupArn: 'arn:cloud:target-group/shop', multiValue: false }
 * const event = requestEvent({ method: 'GET', path: '/' }, group)
 * const answer = { statusCode: 200, statusDescription: 'OK', isBase64Encoded: false, body: 'hello' }
 * httpValueVerdict(answer, event).text // 'hello'
 * ```
 */
export function httpValueVerdict(value: unknown, event: LoadBalancerEvent): HttpVerdict {
  const refused = refusal(event)
  if (refused) return { kind: 'refused', ...plain(refused.status, refused.why), why: refused.why }
  return readVerdict(readAnswer(value), event, bodyOf)
}

type Body = Uint8Array | string

const inSingleMode = { codec: SingleValueResponse, accepts: compile(SingleValueResponse) }
const inMultiMode = { codec: MultiValueResponse, accepts: compile(MultiValueResponse) }

function readVerdict(
  read: ReturnType<typeof readAnswer>,
  event: LoadBalancerEvent,
  contentOf: (response: LoadBalancerResponse) => Body | undefined,
): HttpVerdict {
  if (read.kind === 'error') return malformed(`the function failed: ${read.errorType}`)
  const { value } = read
  const multiValue = isMultiValue(event)
  const { codec, accepts } = multiValue ? inMultiMode : inSingleMode
  const lost = isObject(value) ? (lostCookies(value) ?? lostHeaders(value, multiValue)) : undefined
  if (lost !== undefined) return malformed('the answer has what the load balancer ignores', [lost])
  if (!accepts(value)) {
    const breaches = problems(codec, value)
    return malformed('the answer breaks the contract', breaches, isForAws(breaches, value) ? forAws : '')
  }

  if (headBytes(value, multiValue) > maxResponseHeadBytes)
    return malformed(`the status line and the headers have more than ${maxResponseHeadBytes} bytes`)
  let lines: HeaderLine[]
  try {
    lines = headerLines(value, multiValue, unwritable).map(line => [line.name, line.value])
  } catch (error) {
    return malformed((error as Error).message)
  }
  if (!isFieldValue(value.statusDescription))
    return malformed('the statusDescription cannot be written in HTTP')
  const body = contentOf(value)
  if (body === undefined) return malformed('the body is not Base64, though isBase64Encoded says so')
  return answered(value, lines, body, event.httpMethod === 'HEAD')
}

const forAws =
  "\nAWS fills in what is missing: if the function is written for AWS, set dialect: 'aws' at the function in the configuration."

/** Returns whether an answer lacks nothing but what a load balancer of AWS fills in. */
function isForAws(breaches: readonly Problem[], answer: unknown): boolean {
  return breaches.every(
    ({ pointer }) =>
      (pointer === '/statusDescription' || pointer === '/isBase64Encoded') &&
      (answer as Readonly<Record<string, unknown>>)[pointer.slice(1)] === undefined,
  )
}

// The codec has already accepted the map as a whole, so the problem is one of its names or values.
function unwritable(name: string | undefined, _expected: string, actual: unknown): Error {
  return new Error(`the header ${JSON.stringify(name ?? actual)} cannot be written in HTTP`)
}

function bodyOf(response: LoadBalancerResponse): Body | undefined {
  return response.isBase64Encoded ? bytesOf(response) : (response.body ?? '')
}

function bytesOf({ body = '', isBase64Encoded }: LoadBalancerResponse): Uint8Array | undefined {
  if (!isBase64Encoded) return Buffer.from(body)
  return isBase64(body) ? Buffer.from(body, 'base64') : undefined
}

function answered(
  { statusCode, statusDescription }: LoadBalancerResponse,
  headers: HeaderLine[],
  body: Body,
  isHead: boolean,
): HttpVerdict {
  const sent = isHead || isWithoutContent(statusCode) ? none : body
  // A 205 response has a content-length of 0, but 204 and 304 responses have no content-length.
  if (!isHead && statusCode !== 204 && statusCode !== 304) {
    headers.push([
      'content-length',
      String(typeof sent === 'string' ? Buffer.byteLength(sent) : sent.byteLength),
    ])
  }
  const { reason, statusLine } = status(statusCode, reasonOf(statusCode, statusDescription))
  return {
    kind: 'answered',
    status: statusCode,
    reason,
    statusLine,
    headers,
    body: typeof sent === 'string' ? none : sent,
    text: typeof sent === 'string' ? sent : undefined,
  }
}

const none = new Uint8Array()

function status(code: number, reason: string): Pick<HttpResponse, 'status' | 'statusLine' | 'reason'> {
  return { status: code, reason, statusLine: `HTTP/1.1 ${code} ${reason}` }
}

function malformed(why: string, breaches: readonly Problem[] = [], advice = ''): HttpVerdict {
  return {
    kind: 'malformed',
    // The client does not get the reason, but the invocation log contains it.
    ...plain(malformedStatus, reasonPhrase(malformedStatus)!),
    why: breaches.length === 0 ? why : `${why}:\n${formatProblems(breaches)}${advice}`,
    problems: breaches,
  }
}

function plain(code: number, text: string): HttpResponse {
  const body = Buffer.from(`${text}\n`)
  return {
    ...status(code, reasonPhrase(code)!),
    headers: [
      ['content-type', 'text/plain; charset=utf-8'],
      ['content-length', String(body.byteLength)],
    ],
    body,
  }
}
