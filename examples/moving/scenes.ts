import { httpVerdict, type LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import { httpEvent } from '@signalbox/load-balancer/testing'
import type { Scene } from '../scene.ts'
import { hostedByMiddy, hostedByOurs } from './handler.ts'

const handlers = [
  { where: 'middy’s router hosts', handler: hostedByMiddy as unknown as Scene['handler'], isMiddy: true },
  { where: 'our router hosts', handler: hostedByOurs, isMiddy: false },
]

const wrongOrder = { body: { item: 7 } }

/** Each scene runs with both routers, and with single-value and multi-value headers. */
export const scenes: readonly Scene[] = handlers.flatMap(({ where, handler, isMiddy }) =>
  [false, true].flatMap(multiValue => {
    const mode = multiValue ? ', multi-value headers on' : ''
    const scene = (happens: string, event: LoadBalancerEvent, expected: string): Scene => ({
      happens: `${happens} (${where}${mode})`,
      event,
      handler,
      conclude,
      expected,
    })
    return [
      scene(
        'GET /orders/7, which has moved',
        httpEvent('GET', '/orders/7', { multiValue }),
        '200 OK; application/json; charset=utf-8; {"id":"7"}',
      ),
      scene(
        'POST /orders, with a number for the item',
        httpEvent('POST', '/orders', { ...wrongOrder, multiValue }),
        '400 Bad Request; application/problem+json; {"title":"Bad Request","status":400,"detail":"The request does not match what is expected","problems":[{"in":"body","pointer":"/item","expected":"string","actual":"number 7"}]}',
      ),
      scene(
        'GET /customers/7, which has not moved',
        httpEvent('GET', '/customers/7', { multiValue }),
        '200 OK; text/plain; Ada Lovelace',
      ),
      scene(
        'DELETE /customers/7, for which there is no route',
        httpEvent('DELETE', '/customers/7', { multiValue }),
        isMiddy
          ? '404 Not Found; application/problem+json; {"title":"Not Found","status":404,"detail":"Route does not exist"}'
          : '405 Method Not Allowed; application/problem+json; {"title":"Method Not Allowed","status":405,"detail":"DELETE is not a method of this path"}',
      ),
    ]
  }),
)

function conclude(payload: string, event: unknown): string {
  const { status, reason, headers, body } = httpVerdict(payload, event as LoadBalancerEvent)
  const type = headers.filter(([name]) => name === 'content-type').map(([, value]) => value)
  return [`${status} ${reason}`, ...type, Buffer.from(body).toString()].join('; ')
}
