import { isObject, kindOf } from '@signalbox/codec'
import { InvalidResponseError } from '@signalbox/core'
import {
  headBytes,
  isFieldValue,
  type LoadBalancerEvent,
  type LoadBalancerResponse,
  maxResponseBytes,
  maxResponseHeadBytes,
} from '../contract/index.ts'
import { lostCookies } from '../contract/lost-fields.ts'
import { inMultiValueMode } from '../contract/mode.ts'
import { requestLine } from '../contract/request-line.ts'
import { isWithoutContent, reasonOf, statusDescription } from '../contract/status.ts'
import { isBase64 } from '../contract/text-body.ts'
import { invalidReply } from './invalid-reply.ts'
import type { Reply } from './reply.ts'
import { refuseLostHeaders } from './reply-headers.ts'
import { multiValueMap, plainMap, replyLines, singleValueMap } from './serialized-headers.ts'
import { misspeltField } from './unknown-fields.ts'

/**
 * Serializes a reply (docs/contract/load-balancer.md#response.statusCode). The result is complete, and has
 * single-value or multi-value headers as the request does. It omits hop-by-hop headers and `content-length`,
 * which the load balancer writes.
 * @example middy().before(() => serialize(json({ cached: true }), event))
 * @throws the error that is given instead of a reply, and InvalidResponseError for a value that HTTP cannot carry, a
 * misspelt field, headers in the map that is not read, several cookies with single-value headers, and more than 1 MB
 */
export function serialize(reply: unknown, event: LoadBalancerEvent): LoadBalancerResponse {
  // An HttpError has a status, but it would be sent without its message.
  if (reply instanceof Error) throw reply
  const refused = isObject(reply) ? (lostCookies(reply) ?? misspeltField(reply)) : undefined
  if (refused !== undefined) throw new InvalidResponseError(requestLine(event), [refused])
  if (!isReply(reply)) throw invalidReply(event, '', 'a reply with a statusCode', kindOf(reply))
  const { statusCode, body, isBase64Encoded } = reply
  if (!Number.isInteger(statusCode) || statusCode < 200 || statusCode > 599) {
    throw invalidReply(
      event,
      '/statusCode',
      'an integer from 200 to 599',
      typeof statusCode === 'number' ? String(statusCode) : kindOf(statusCode),
    )
  }
  if (isBase64Encoded !== undefined && isBase64Encoded !== null && typeof isBase64Encoded !== 'boolean') {
    throw invalidReply(event, '/isBase64Encoded', 'true or false', kindOf(isBase64Encoded))
  }
  const isText = typeof body === 'string' && isBase64Encoded !== true
  const isEmpty =
    body === undefined || body === null || body === '' || (body instanceof Uint8Array && body.length === 0)
  const hasContent = !isEmpty && !isWithoutContent(statusCode)
  const hasBody = hasContent && event.httpMethod !== 'HEAD'
  const statusDescription = describe(reply, event)
  const multiValue = inMultiValueMode(event)
  refuseLostHeaders(reply, multiValue, event)
  const plain = hasContent && !multiValue ? plainMap(reply.headers) : undefined
  const map = plain ?? serializedMap(reply, multiValue, event)
  if (hasContent) {
    const type = isText ? 'text/plain; charset=utf-8' : 'application/octet-stream'
    map['content-type'] ??= multiValue ? [type] : type
  }
  // The body is also checked for HEAD, so that GET and HEAD fail in the same way.
  const encoded = isEmpty ? '' : encode(body, isText, event)
  const isEncoded = hasBody && !isText
  const response = (
    multiValue
      ? { statusCode, statusDescription, isBase64Encoded: isEncoded, multiValueHeaders: map, body: encoded }
      : { statusCode, statusDescription, isBase64Encoded: isEncoded, headers: map, body: encoded }
  ) as Writable<LoadBalancerResponse>
  if (!hasBody) delete response.body
  checkSize(response, multiValue, event)
  return response
}

function serializedMap(reply: Reply, multiValue: boolean, event: LoadBalancerEvent) {
  const lines = replyLines(reply, multiValue, event)
  return multiValue ? multiValueMap(lines) : singleValueMap(lines, event)
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

function isReply(value: unknown): value is Reply {
  return isObject(value) && 'statusCode' in value
}

function describe({ statusCode, statusDescription: own }: Reply, event: LoadBalancerEvent): string {
  if (own === undefined || own === null) {
    return statusDescription(statusCode) ?? `${statusCode} Unknown`
  }
  if (typeof own !== 'string' || !isFieldValue(own)) {
    throw invalidReply(
      event,
      '/statusDescription',
      'text without control characters',
      typeof own === 'string' ? 'other text' : kindOf(own),
    )
  }
  return `${statusCode} ${reasonOf(statusCode, own)}`
}

function encode(body: string | Uint8Array, isText: boolean, event: LoadBalancerEvent): string {
  if (body instanceof Uint8Array)
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('base64')
  if (typeof body !== 'string') throw invalidReply(event, '/body', 'text or bytes', kindOfBody(body))
  if (!isText && !isBase64(body)) {
    throw invalidReply(event, '/body', 'Base64, since isBase64Encoded is true', 'other text')
  }
  return body
}

function kindOfBody(body: unknown): string {
  const isStream =
    process.env.NODE_ENV !== 'production' && isObject(body) && ('getReader' in body || 'pipe' in body)
  return isStream ? 'a stream, of which a load balancer takes only the whole content' : kindOf(body)
}

function checkSize(response: LoadBalancerResponse, multiValue: boolean, event: LoadBalancerEvent): void {
  const head = headBytes(response, multiValue)
  // In JSON, a character has at most six bytes, so short responses need no exact count.
  if (head > maxResponseHeadBytes || (response.body?.length ?? 0) * 6 >= maxResponseBytes / 2) {
    const size = Buffer.byteLength(JSON.stringify(response))
    if (size > maxResponseBytes)
      throw invalidReply(
        event,
        '',
        `at most ${maxResponseBytes} bytes of JSON${process.env.NODE_ENV !== 'production' ? ' (answer with a redirect to storage instead)' : ''}`,
        `${size} bytes`,
      )
  }
  if (head > maxResponseHeadBytes) {
    const most = `at most ${maxResponseHeadBytes} bytes of status line and headers`
    throw invalidReply(event, '', most, `${head} bytes`)
  }
}
