import type { Family } from '@signalbox/core'
import { LoadBalancerEvent } from './contract/index.ts'

/** Load-balancer requests: how they are recognized, held against contract D, and brought into one shape. */
export const loadBalancerFamily: Family = {
  name: 'load-balancer',
  recognizes: event =>
    isObject(event) && isObject(event.requestContext) && isObject(event.requestContext.elb),
  event: LoadBalancerEvent,
  normalize,
}

// Null and absent are the same thing for a map, and so is empty: none of this departs from the contract, which
// is why nothing is reported.
function normalize(event: unknown): void {
  if (!isObject(event)) return
  if (isAbsent(event.multiValueHeaders)) {
    if (isAbsent(event.headers)) event.headers = {}
    if (isAbsent(event.queryStringParameters)) event.queryStringParameters = {}
  } else if (isAbsent(event.multiValueQueryStringParameters)) event.multiValueQueryStringParameters = {}
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
