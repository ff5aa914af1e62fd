import type { LoadBalancerEvent } from './event.ts'
import { maxRequestBodyBytes, requestTooLargeStatus, webSocketStatus } from './limits.ts'

/**
 * Why the load balancer refuses a request without asking the function: an upgrade to a WebSocket (contract,
 * errors) or a body above the limit (contract, limits). Undefined for a request that the function answers.
 */
export function refusal(event: LoadBalancerEvent): { status: number; why: string } | undefined {
  if (
    valuesOf(event.multiValueHeaders ?? event.headers ?? {}, 'upgrade').some(value =>
      /(?:^|,)\s*websocket\s*(?:,|$)/i.test(value),
    )
  ) {
    return { status: webSocketStatus, why: 'WebSockets are not supported' }
  }
  const body = event.body ?? ''
  if (Buffer.byteLength(body, event.isBase64Encoded ? 'base64' : 'utf8') > maxRequestBodyBytes) {
    return { status: requestTooLargeStatus, why: 'The request body is above 1 MB' }
  }
  return undefined
}

function valuesOf(
  map: { readonly [name: string]: string | readonly string[] },
  name: string,
): readonly string[] {
  return Object.entries(map).flatMap(([key, value]) => (key.toLowerCase() === name ? value : []))
}
