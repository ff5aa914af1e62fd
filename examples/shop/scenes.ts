import { httpVerdict, type LoadBalancerEvent } from '@signalbox/load-balancer/contract'
import { readEvent, type Scene } from '../scene.ts'
import { handler } from './handler.ts'

const stories: readonly { happens: string; file: string; expected: string }[] = [
  {
    happens: 'GET /orders/7',
    file: 'event.json',
    expected: '200 OK; {"id":"7","item":"tea pot","quantity":1}',
  },
  {
    happens: 'GET /orders?item=cup+%26+saucer',
    file: 'search.json',
    expected: '200 OK; [{"id":"6","item":"cup & saucer","quantity":2}]',
  },
  {
    happens: 'POST /orders, with a number of pieces that is a word',
    file: 'wrong-order.json',
    expected:
      '400 Bad Request; {"title":"Bad Request","status":400,"detail":"The request does not match what is expected","problems":[{"in":"body","pointer":"/quantity","expected":"number","actual":"string \'two\'"}]}',
  },
  {
    happens: 'DELETE /orders/7, for which there is no route',
    file: 'cancel.json',
    expected:
      '405 Method Not Allowed; allow: GET, HEAD, OPTIONS; {"title":"Method Not Allowed","status":405,"detail":"DELETE is not a method of this path"}',
  },
  {
    happens: 'POST /sign-in, a form',
    file: 'sign-in.json',
    expected:
      '303 See Other; location: /me; set-cookie: __Host-session=customer:%20Ada%20Lovelace, Path=/, Max-Age=3600, HttpOnly, Secure, SameSite=Lax',
  },
  {
    happens: 'GET /me, with two cookies',
    file: 'me.json',
    expected: '200 OK; {"name":"Ada Lovelace"}',
  },
  {
    happens: 'GET /orders/7/receipt, which is for a printer',
    file: 'receipt.json',
    expected: '200 OK; content-disposition: attachment, filename="receipt 7.bin"; 18 bytes',
  },
  {
    happens: 'OPTIONS /widgets/stock/tea%20pot, asked by the browser for a page of partner.example',
    file: 'preflight.json',
    expected:
      '204 No Content; allow: GET, HEAD, OPTIONS; access-control-allow-origin: https://partner.example',
  },
  {
    happens: 'GET /widgets/stock/cup%20%26%20saucer, by that page',
    file: 'stock.json',
    expected: '200 OK; access-control-allow-origin: https://partner.example; {"inStock":0}',
  },
]

/** Each scene runs twice: with single-value headers, the default, and with multi-value headers. */
export const scenes: readonly Scene[] = stories.flatMap(({ happens, file, expected }) => {
  const event = readEvent<LoadBalancerEvent>(import.meta.url, file)
  return [
    { happens, event, handler, conclude, expected },
    { happens: `${happens} (multi-value headers on)`, event: multiValue(event), handler, conclude, expected },
  ]
})

/** Returns the event that the load balancer sends for the same request if multi-value headers are turned on. */
export function multiValue({
  headers,
  queryStringParameters,
  ...rest
}: LoadBalancerEvent): LoadBalancerEvent {
  const lists = (map: LoadBalancerEvent['headers']) =>
    Object.fromEntries(Object.entries(map ?? {}).map(([name, value]) => [name, [value]]))
  return {
    ...rest,
    multiValueHeaders: lists(headers),
    multiValueQueryStringParameters: lists(queryStringParameters),
  }
}

const telling = ['allow', 'location', 'set-cookie', 'content-disposition', 'access-control-allow-origin']

function conclude(payload: string, event: unknown): string {
  const { status, reason, headers, body } = httpVerdict(payload, event as LoadBalancerEvent)
  const lines = headers
    .filter(([name]) => telling.includes(name))
    .map(([name, value]) => `${name}: ${value.replaceAll('; ', ', ')}`)
  return [`${status} ${reason}`, ...lines, ...inWords(Buffer.from(body))].join('; ')
}

function inWords(body: Buffer): readonly string[] {
  if (body.byteLength === 0) return []
  return body.includes(0) ? [`${body.byteLength} bytes`] : [body.toString()]
}
