import type { Request } from '@signalbox/core'
import { type AnyEvent, isBatch, knownMethod, queueOf, routeOf } from './invocation-facts.ts'

/** Returns the family of an event, and which of the user's code it is for. No value of a client is in it. */
export function logFacts(request: Request): { readonly [name: string]: string | undefined } {
  const { triggerSource, Records, httpMethod, flowDirection, path } = Object(request.event) as AnyEvent
  if (isBatch(Records)) {
    const queues = new Set(Records.map(queueOf))
    return { family: 'queue', queue: queues.size === 1 ? [...queues][0] : undefined }
  }
  if (typeof httpMethod === 'string')
    return {
      ...{ family: 'load-balancer', method: knownMethod(httpMethod) },
      route: routeOf(request, httpMethod, path),
    }
  if (typeof triggerSource === 'string') return { family: 'user-pool', trigger_source: triggerSource }
  if (typeof flowDirection === 'string') return { family: 'mail-flow', flow_direction: flowDirection }
  return {}
}
