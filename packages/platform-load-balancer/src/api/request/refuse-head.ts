import type { IncomingMessage } from 'node:http'
import {
  maxRequestBodyBytes,
  methods,
  requestTooLargeStatus,
  webSocketStatus,
} from '@signalbox/load-balancer/contract'
import { type PlainResponse, plainResponse } from '../response/plain-response.ts'
import { lineTooLong, unsupportedMethod } from '../response/protocol-error.ts'
import { isHost, type RequestTarget, requestTarget } from './request-target.ts'

/** The maximum length of a request line in bytes. The contract has no limit. */
const requestLineLimit = 16 * 1024

/** The maximum length of one header line in bytes. The contract has no limit. */
const headerLineLimit = 16 * 1024

/** The maximum total length of all header lines in bytes. The contract has no limit. */
export const headersLimit = 64 * 1024

const allowed: ReadonlySet<string> = new Set(methods)

/**
 * Returns the response that refuses a request before its body is read, or else the target of the request.
 * @param known whether an earlier request with exactly these header lines was accepted
 */
export function readHead(request: IncomingMessage, known: boolean): RequestTarget | PlainResponse {
  const { method = '', url = '', httpVersionMajor } = request
  if (httpVersionMajor !== 1) return plainResponse(400, 'The request is not HTTP/1')
  if (!allowed.has(method)) return unsupportedMethod(method)
  if (method.length + url.length + 10 > requestLineLimit) return lineTooLong
  const target = requestTarget(url, method)
  if (target === undefined) return plainResponse(400, 'The request target is neither a path nor a URL')
  return (known ? undefined : refuseLines(request)) ?? target
}

function refuseLines(request: IncomingMessage): PlainResponse | undefined {
  const { rawHeaders, httpVersionMinor } = request
  let hosts = 0
  let codings = ''
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length + rawHeaders[i + 1]!.length + 4 > headerLineLimit)
      return plainResponse(431, 'A header line is too long')
    if (name.length === 4 && name.toLowerCase() === 'host') {
      if (++hosts > 1) return plainResponse(400, 'The request has more than one Host header')
      if (!isHost(rawHeaders[i + 1]!)) return plainResponse(400, 'Invalid Host header')
    }
    if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') codings += `,${rawHeaders[i + 1]}`
  }
  if (codings !== '') {
    // RFC 9112, 6.1. Node decodes only the coding "chunked", and the function would not notice any other coding.
    if (httpVersionMinor === 0) return plainResponse(400, 'HTTP/1.0 does not support transfer codings')
    if (!/^[\s,]*chunked[\s,]*$/i.test(codings))
      return plainResponse(501, 'The only supported transfer coding is chunked')
  }
  if (hosts === 0 && httpVersionMinor > 0) return plainResponse(400, 'The Host header is missing')
  if (isWebSocket(request)) return plainResponse(webSocketStatus, 'WebSockets are not supported')
  if (Number(request.headers['content-length']) > maxRequestBodyBytes) return bodyTooLarge
  return undefined
}

/** The response to a request body above the size limit. */
export const bodyTooLarge: PlainResponse = plainResponse(
  requestTooLargeStatus,
  'The request body is larger than 1 MB',
)

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /(?:^|,)\s*websocket\s*(?:,|\/|$)/i.test(headers.upgrade)
}
