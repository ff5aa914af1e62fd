import {
  isFieldValue,
  isMultiValue,
  type LoadBalancerEvent,
  type LoadBalancerResponse,
  maxResponseBytes,
} from './contract/index.ts'
import { isWithoutContent, statusDescription } from './contract/status.ts'
import { kindOf, refuse } from './refuse.ts'
import type { Reply } from './reply.ts'
import { headerTexts, multiValue, singleValue } from './serialized-headers.ts'

/**
 * Writes a reply as contract D wants it: in the mode of the request, complete, and nothing that HTTP cannot carry.
 * Headers that belong to the connection, and `content-length`, are left to the load balancer.
 * @throws InvalidResponseError for what cannot be written, several cookies without multi-value headers, and more
 * than 1 MB
 */
export function serialize(reply: unknown, event: LoadBalancerEvent): LoadBalancerResponse {
  if (!isReply(reply)) throw refuse(event, '', 'a reply with a statusCode', kindOf(reply))
  const { statusCode, body, isBase64Encoded } = reply
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) {
    throw refuse(
      event,
      '/statusCode',
      'an integer from 200 to 599',
      typeof statusCode === 'number' ? String(statusCode) : kindOf(statusCode),
    )
  }
  const isText = typeof body === 'string' && isBase64Encoded !== true
  const isEmpty = body === undefined || body === null || body.length === 0
  const texts = headerTexts(reply, event)
  if (!isEmpty && texts['content-type'] === undefined) {
    texts['content-type'] = isText ? 'text/plain; charset=utf-8' : 'application/octet-stream'
  }
  const hasBody = !isEmpty && event.httpMethod !== 'HEAD' && !isWithoutContent(statusCode)
  const statusDescription = describe(reply, event)
  const isBase64 = hasBody && !isText
  const response: Writable<LoadBalancerResponse> = isMultiValue(event)
    ? { statusCode, statusDescription, isBase64Encoded: isBase64, multiValueHeaders: multiValue(texts) }
    : { statusCode, statusDescription, isBase64Encoded: isBase64, headers: singleValue(texts, event) }
  if (hasBody) response.body = encode(body, isText, event)
  checkSize(response, event)
  return response
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

function isReply(value: unknown): value is Reply {
  return typeof value === 'object' && value !== null && 'statusCode' in value
}

function describe({ statusCode, statusDescription: given }: Reply, event: LoadBalancerEvent): string {
  if (given === undefined || given === null) {
    return statusDescription(statusCode) ?? `${statusCode} Unknown`
  }
  if (typeof given !== 'string' || !isFieldValue(given)) {
    throw refuse(
      event,
      '/statusDescription',
      'text without control characters',
      typeof given === 'string' ? 'other text' : kindOf(given),
    )
  }
  return given
}

function encode(body: string | Uint8Array, isText: boolean, event: LoadBalancerEvent): string {
  if (body instanceof Uint8Array)
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  if (typeof body !== 'string') throw refuse(event, '/body', 'text or bytes', kindOf(body))
  if (!isText && (body.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(body))) {
    throw refuse(event, '/body', 'Base64, since isBase64Encoded is true', 'other text')
  }
  return body
}

function checkSize(response: LoadBalancerResponse, event: LoadBalancerEvent): void {
  // JSON writes a character in six bytes at most. Below that, and leaving room for headers, there is nothing to count.
  if ((response.body?.length ?? 0) * 6 < maxResponseBytes / 2 && headersAreShort(response)) return
  const size = Buffer.byteLength(JSON.stringify(response))
  if (size <= maxResponseBytes) return
  throw refuse(event, '', `at most ${maxResponseBytes} bytes of JSON`, `${size} bytes`)
}

function headersAreShort({ statusDescription, headers, multiValueHeaders }: LoadBalancerResponse): boolean {
  let length = statusDescription.length
  for (const name in headers) length += name.length + headers[name]!.length
  for (const name in multiValueHeaders) {
    for (const value of multiValueHeaders[name]!) length += name.length + value.length
  }
  return length < maxResponseBytes / 20
}
