/** A route of an API. Every resource has the same six routes. */
export interface Path {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly resource: `/${string}`
  /** The path after the resource, with parameters in braces. */
  readonly rest: '' | '/{id}' | '/{id}/items/{item}'
}

const six = [
  ['GET', '/{id}/items/{item}'],
  ['GET', ''],
  ['POST', ''],
  ['GET', '/{id}'],
  ['PUT', '/{id}'],
  ['DELETE', '/{id}'],
] as const

/** Returns the given number of routes, six for each resource. */
export function paths(count: number): readonly Path[] {
  return Array.from({ length: count }, (_, position) => {
    const [method, rest] = six[position % six.length]!
    return { method, resource: `/api/resource-${Math.floor(position / six.length)}`, rest }
  })
}

export type Mode = 'single' | 'multi-value'

export interface Request {
  readonly method: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** Returns the event of a typical browser request, parsed from text as the platform does it. */
export function httpEvent(
  mode: Mode,
  { method, path, query = {}, headers = {}, body = '' }: Request,
): unknown {
  const allHeaders = {
    accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'accept-encoding': 'gzip',
    'accept-language': 'en-US,en;q=0.9',
    connection: 'keep-alive',
    cookie: 'session=0123456789abcdef; theme=dark',
    host: 'api.example.com',
    'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/71.0',
    'x-cloud-trace-id': 'Root=1-5c536348-3d683b8b04734faae651f476',
    'x-forwarded-for': '192.0.2.165',
    'x-forwarded-port': '443',
    'x-forwarded-proto': 'https',
    ...headers,
  }
  const lists = (map: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(map).map(([name, value]) => [name, [value]]))
  const maps =
    mode === 'single'
      ? { queryStringParameters: query, headers: allHeaders }
      : { multiValueQueryStringParameters: lists(query), multiValueHeaders: lists(allHeaders) }
  return JSON.parse(
    JSON.stringify({
      requestContext: { elb: { targetGroupArn: 'targetgroup/orders/49e9d65c45c6791a' } },
      httpMethod: method,
      path,
      ...maps,
      body,
      isBase64Encoded: false,
    }),
  )
}

/** Returns requests for an item. Each request has a different resource if there are enough resources. */
export function itemRequests(resources: number): readonly Request[] {
  return Array.from({ length: 16 }, (_, number) => ({
    method: 'GET',
    path: `/api/resource-${(number * 7) % resources}/order-${number}/items/line-${number * 3}`,
    query: { page: String(number), sort: 'name' },
  }))
}

/** Returns requests that a router could match wrongly. */
export const oddRequests: readonly Request[] = [
  { method: 'GET', path: '/api/resource-0/7' },
  { method: 'GET', path: '/api/resource-0' },
  { method: 'POST', path: '/api/resource-0' },
  { method: 'GET', path: '/api/resource-0/caf%C3%A9/items/7' },
  { method: 'GET', path: '/api/resource-0/7/items/8' },
]

/** Returns the answer that the routes of all contenders give. */
export function answerOf(
  path: Path,
  id: string | undefined,
  item: string | undefined,
  page: string | undefined,
): object {
  return { resource: path.resource, method: path.method, id, item, page, known: true }
}
