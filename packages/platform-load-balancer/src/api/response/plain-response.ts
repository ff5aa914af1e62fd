import { statusCodes } from '@signalbox/platform-runtime/listener'

/** A response that comes from the load balancer itself, not from the function. */
export interface PlainResponse {
  readonly status: number
  readonly reason: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
  /** The body as a string, if it is text. In this case, `body` is empty. */
  readonly text?: string | undefined
}

/** Returns a response with a sentence as its body. */
export function plainResponse(
  status: number,
  why: string,
  headers: PlainResponse['headers'] = [],
): PlainResponse {
  const body = Buffer.from(`${why}\n`)
  return {
    status,
    reason: statusCodes[status] ?? '',
    headers: [
      ['content-type', 'text/plain; charset=utf-8'],
      ['content-length', String(body.length)],
      ...headers,
    ],
    body,
  }
}

/** Returns the bytes of a response that ends its connection. */
export function rawResponse({ status, reason, headers, body }: PlainResponse): string {
  const lines = [...headers, ['connection', 'close'] as const].map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${reason}\r\n${lines.join('')}\r\n${Buffer.from(body).toString()}`
}
