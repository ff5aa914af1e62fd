import {
  isMultiValue,
  type LoadBalancerEvent,
  type Method,
  requestEvent,
  type TargetGroup,
} from '@signalbox/load-balancer/contract'
import type { HeaderLine } from './header-lines.ts'

/** The header lines of an event, without the trace id, which is different for every request. */
export interface HeaderText {
  readonly lines: readonly HeaderLine[]
  /** The header maps of the event. */
  readonly map: LoadBalancerEvent['headers'] | LoadBalancerEvent['multiValueHeaders']
  /** The header maps as JSON text, up to the value of the trace id. */
  readonly text: string
}

/** A request whose header lines are already converted to JSON text. */
interface Asked {
  readonly method: Method
  readonly path: string
  readonly query: string
  readonly headers: HeaderText
  /** The value of `x-cloud-trace-id`. */
  readonly trace: string
  /** The value of `x-cloud-trace-id` as JSON text. */
  readonly traceText: string
  readonly body: Uint8Array
}

/** An event as an object and as JSON text. */
interface Written {
  /** An event that shares no object with any other event. */
  readonly event: LoadBalancerEvent
  readonly text: string
}

/** Makes the same events as `requestEvent`, together with their JSON text. */
export interface EventWriter {
  readonly headers: (lines: readonly HeaderLine[]) => HeaderText
  readonly event: (asked: Asked) => Written
}

/**
 * Makes the events of a load balancer. Most of an event is the same for successive requests, so joining strings is
 * much faster than serializing an object.
 */
export function eventWriter(group: TargetGroup): EventWriter {
  const { targetGroupArn, multiValue } = group
  const start = `{"requestContext":${JSON.stringify({ elb: { targetGroupArn } })},"httpMethod":"`
  const parameters = `,"${multiValue ? 'multiValueQueryStringParameters' : 'queryStringParameters'}":`
  const headersName = `,"${multiValue ? 'multiValueHeaders' : 'headers'}":`
  const headersEnd = multiValue ? ']}' : '}'

  return {
    headers(lines) {
      const event = requestEvent({ method: 'GET', path: '/', headers: lines }, group)
      const map = isMultiValue(event) ? event.multiValueHeaders : event.headers
      const text = JSON.stringify(map).slice(0, -1)
      return { lines, map, text: `${headersName}${text},"x-cloud-trace-id":${multiValue ? '[' : ''}` }
    },

    event({ method, path, query, headers, trace, traceText, body }) {
      const before = `${start}${method}","path":${JSON.stringify(path)}${parameters}`
      const middle = `${headers.text}${traceText}${headersEnd}`
      if (query !== '' || body.byteLength > 0 || multiValue) {
        const lines = [...headers.lines, ['x-cloud-trace-id', trace] as const]
        const event = requestEvent({ method, path, query, headers: lines, body }, group)
        const { queryStringParameters, multiValueQueryStringParameters, isBase64Encoded } = event
        const text = `${before}${JSON.stringify(queryStringParameters ?? multiValueQueryStringParameters)}${middle},"body":${JSON.stringify(event.body)},"isBase64Encoded":${isBase64Encoded}}`
        return { event, text }
      }
      const event = {
        requestContext: { elb: { targetGroupArn } },
        httpMethod: method,
        path,
        queryStringParameters: {},
        headers: { ...(headers.map as LoadBalancerEvent['headers']), 'x-cloud-trace-id': trace },
        body: '',
        isBase64Encoded: false,
      }
      return { event, text: `${before}{}${middle},"body":"","isBase64Encoded":false}` }
    },
  }
}

/**
 * Returns an event with only the parts that a verdict reads, which are the method and the kind of header maps. The
 * other fields are empty.
 */
export function eventOutline(method: Method, group: TargetGroup): LoadBalancerEvent {
  return requestEvent({ method, path: '/' }, group)
}
