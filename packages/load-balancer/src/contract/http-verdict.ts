import { compile, formatProblems, type Problem, problems } from '@signalbox/codec'
import { readPayload } from '@signalbox/core/payload'
import { isMultiValue, type LoadBalancerEvent } from './event.ts'
import { isFieldName, isFieldValue, isHopByHop } from './header-field.ts'
import { malformedStatus, maxResponseBytes } from './limits.ts'
import { refusal } from './refusal.ts'
import { type LoadBalancerResponse, MultiValueResponse, SingleValueResponse } from './response.ts'
import { isWithoutContent, reasonPhrase } from './status.ts'

/** A header line. */
export type HeaderLine = readonly [name: string, value: string]

/** An HTTP response, ready to be written. */
export interface HttpResponse {
  /** Such as `HTTP/1.1 200 OK`. */
  readonly statusLine: string
  readonly status: number
  /** The reason phrase of the status line. */
  readonly reason: string
  /** Header lines in order. `content-length` is among them unless the response has no body by its nature. */
  readonly headers: readonly HeaderLine[]
  readonly body: Uint8Array
}

/**
 * What the load balancer concludes: `answered` by the function, `refused` before the function was asked, or
 * `malformed`, an answer that cannot become a response. All three go to the client as HTTP.
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
 * What the load balancer makes of the text that a function returned for `event`. Contract D, load-balancer
 * invocation, errors and limits. Never throws, whatever the text.
 */
export function httpVerdict(payload: string, event: LoadBalancerEvent): HttpVerdict {
  const refused = refusal(event)
  if (refused) return { kind: 'refused', ...plain(refused.status, refused.why), why: refused.why }
  // No text has fewer bytes than characters, or more than three for each.
  if (payload.length * 3 > maxResponseBytes && Buffer.byteLength(payload) > maxResponseBytes) {
    return malformed(`the payload has more than ${maxResponseBytes} bytes`)
  }
  const read = readPayload(payload)
  if (read.kind === 'malformed') return malformed(read.why)
  if (read.kind === 'error') return malformed(`the function failed: ${read.errorType}`)
  return answerVerdict(read.value, event)
}

const inSingleMode = { codec: SingleValueResponse, accepts: compile(SingleValueResponse) }
const inMultiMode = { codec: MultiValueResponse, accepts: compile(MultiValueResponse) }

function answerVerdict(value: unknown, event: LoadBalancerEvent): HttpVerdict {
  const multiValue = isMultiValue(event)
  const { codec, accepts } = multiValue ? inMultiMode : inSingleMode
  if (!accepts(value)) return malformed('the answer breaks the contract', problems(codec, value))

  const lines = linesOf(value, multiValue)
  for (const [name, text] of lines) {
    if (!isFieldName(name) || !isFieldValue(text))
      return malformed(`the header ${JSON.stringify(name)} cannot be written in HTTP`)
  }
  if (!isFieldValue(value.statusDescription))
    return malformed('the statusDescription cannot be written in HTTP')
  const body = bytesOf(value)
  if (body === undefined) return malformed('the body is not Base64, though isBase64Encoded says so')
  return answered(value, lines, body, event.httpMethod === 'HEAD')
}

function linesOf({ headers, multiValueHeaders }: LoadBalancerResponse, multiValue: boolean): HeaderLine[] {
  const map = (multiValue ? multiValueHeaders : headers) ?? {}
  const lines: HeaderLine[] = []
  for (const name of Object.keys(map)) {
    const values = map[name]!
    if (typeof values === 'string') lines.push([name, values])
    else for (const value of values) lines.push([name, value])
  }
  return lines
}

function bytesOf({ body = '', isBase64Encoded }: LoadBalancerResponse): Uint8Array | undefined {
  if (!isBase64Encoded) return Buffer.from(body)
  return body.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(body)
    ? Buffer.from(body, 'base64')
    : undefined
}

function answered(
  { statusCode, statusDescription }: LoadBalancerResponse,
  lines: readonly HeaderLine[],
  body: Uint8Array,
  isHead: boolean,
): HttpVerdict {
  // What belongs to the connection is the load balancer's own affair.
  const headers: HeaderLine[] = []
  for (const line of lines) {
    const name = line[0].toLowerCase()
    if (name !== 'content-length' && !isHopByHop(name)) headers.push(line)
  }
  const sent = isHead || isWithoutContent(statusCode) ? new Uint8Array() : body
  // A 205 has a length, which is none; the others end with their headers.
  if (!isHead && statusCode !== 204 && statusCode !== 304) {
    headers.push(['content-length', String(sent.byteLength)])
  }
  const { reason, statusLine } = status(statusCode, statusDescription)
  return {
    kind: 'answered',
    status: statusCode,
    reason,
    statusLine,
    headers,
    body: sent,
  }
}

// The contract's description carries the code as well: "200 OK". A bare phrase is taken as it is.
function status(code: number, description: string): Pick<HttpResponse, 'status' | 'statusLine' | 'reason'> {
  const prefix = `${code} `
  const reason = description.startsWith(prefix) ? description.slice(prefix.length) : description
  return { status: code, reason, statusLine: `HTTP/1.1 ${code} ${reason}` }
}

function malformed(why: string, found: readonly Problem[] = []): HttpVerdict {
  return {
    kind: 'malformed',
    // The client is told nothing of what is the function's author's business.
    ...plain(malformedStatus, reasonPhrase(malformedStatus)!),
    why: found.length === 0 ? why : `${why}:\n${formatProblems(found)}`,
    problems: found,
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
