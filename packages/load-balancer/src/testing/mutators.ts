import type { LoadBalancerEvent } from '../contract/index.ts'

/** A function that breaks exactly one rule of the contract, and its description. */
export interface Mutator<Value> {
  /** A description of the fault in the copy. */
  readonly name: string
  /** The JSON pointer of the broken field. */
  readonly pointer: string
  /** Returns a broken copy. */
  readonly mutate: (value: Value) => unknown
}

function change(name: string, pointer: string, value?: unknown): Mutator<LoadBalancerEvent> {
  return {
    name,
    pointer,
    mutate(event) {
      const copy = structuredClone(event) as unknown as Record<string, unknown>
      const keys = pointer.split('/').slice(1)
      const last = keys.pop()!
      let parent = copy
      for (const key of keys) {
        const known = parent[key]
        parent[key] = typeof known === 'object' && known !== null ? known : {}
        parent = parent[key] as Record<string, unknown>
      }
      if (value === undefined) delete parent[last]
      else parent[last] = value
      return copy
    },
  }
}

/** A mutator for every rule of a load-balancer event. */
export const httpEventMutators: readonly Mutator<LoadBalancerEvent>[] = [
  change('a missing "requestContext"', '/requestContext'),
  change('a requestContext that is not an object', '/requestContext', 'elb'),
  change('a missing "elb"', '/requestContext/elb'),
  change('an elb that is not an object', '/requestContext/elb', true),
  change('a missing "targetGroupArn"', '/requestContext/elb/targetGroupArn'),
  change('a targetGroupArn that is not text', '/requestContext/elb/targetGroupArn', 7),
  change('a missing "httpMethod"', '/httpMethod'),
  change('an httpMethod in lower case', '/httpMethod', 'get'),
  change('an httpMethod that is not passed on', '/httpMethod', 'TRACE'),
  change('a missing "path"', '/path'),
  change('a path that is not text', '/path', ['orders']),
  change('queryStringParameters that are not a map', '/queryStringParameters', 'a=1'),
  change('a parameter that is not text', '/queryStringParameters/page', 7),
  change('multiValueQueryStringParameters that are not a map', '/multiValueQueryStringParameters', []),
  change('a multi-value parameter that is not a list', '/multiValueQueryStringParameters/page', '7'),
  change(
    'a multi-value parameter with a value that is not text',
    '/multiValueQueryStringParameters/page',
    [7],
  ),
  change('headers that are not a map', '/headers', 'host: shop.example'),
  change('a header that is not text', '/headers/accept', ['*/*']),
  change('a header that is null', '/headers/accept', null),
  change('multiValueHeaders that are not a map', '/multiValueHeaders', 'host: shop.example'),
  change('a multi-value header that is not a list', '/multiValueHeaders/accept', '*/*'),
  change('a multi-value header with a value that is null', '/multiValueHeaders/accept', [null]),
  change('a body that is not text', '/body', { id: 7 }),
  change('a missing "isBase64Encoded"', '/isBase64Encoded'),
  change('an isBase64Encoded that is not Boolean', '/isBase64Encoded', 'false'),
  change('an isBase64Encoded that is null', '/isBase64Encoded', null),
]
