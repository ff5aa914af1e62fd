import type { LoadBalancerEvent } from './event.ts'
import { maxRequestBodyBytes, requestTooLargeStatus, webSocketStatus } from './limits.ts'

/**
 * Returns the status and the reason if the load balancer refuses a request without calling the function, and otherwise
 * undefined. It refuses a WebSocket upgrade (docs/contract/load-balancer.md#request.web-socket) and a body above the
 * limit (docs/contract/load-balancer.md#limits.requestBody).
 * @example
 * ```ts
 * import { refusal, requestEvent } from '@signalbox/load-balancer/contract'
 *
 * const group = { targetGroupArn: 'arn:cloud:target-group/shop', multiValue: false }
 * refusal(requestEvent({ method: 'GET', path: '/' }, group)) // undefined
 * refusal(requestEvent({ method: 'POST', path: '/', body: Buffer.alloc(1024 * 1024 + 1) }, group))?.status // 413
 * ```
 */
export function refusal(event: LoadBalancerEvent): { status: number; why: string } | undefined {
  if (asksForWebSocket(event.multiValueHeaders ?? event.headers ?? {})) {
    return { status: webSocketStatus, why: 'WebSockets are not supported' }
  }
  const body = event.body ?? ''
  if (Buffer.byteLength(body, event.isBase64Encoded ? 'base64' : 'utf8') > maxRequestBodyBytes) {
    return { status: requestTooLargeStatus, why: 'The request body is above 1 MB' }
  }
  return undefined
}

function asksForWebSocket(headers: { readonly [name: string]: string | readonly string[] }): boolean {
  for (const name of Object.keys(headers)) {
    if (name.toLowerCase() !== 'upgrade') continue
    const values = headers[name]!
    if ((typeof values === 'string' ? [values] : values).some(value => webSocket.test(value))) return true
  }
  return false
}

const webSocket = /(?:^|,)\s*websocket\s*(?:,|$)/i
