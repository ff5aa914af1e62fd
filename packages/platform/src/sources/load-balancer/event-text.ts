import {
  isMultiValue,
  type LoadBalancerEvent,
  type Method,
  requestEvent,
  type TargetGroup,
} from '@signalbox/load-balancer/contract'
import type { HeaderLine } from './header-lines.ts'

/** The header lines of an event as text, up to the value of the one that is still to come: the trace. */
export interface HeaderText {
  readonly lines: readonly HeaderLine[]
  readonly text: string
}

/** A request, of which the header lines are text already. */
export interface Asked {
  readonly method: Method
  readonly path: string
  readonly query: string
  readonly headers: HeaderText
  /** The value of `x-cloud-trace-id` as JSON text. */
  readonly trace: string
  readonly body: Uint8Array
}

/** Writes events: the text of what `requestEvent` makes of the same request. */
export interface EventWriter {
  readonly headers: (lines: readonly HeaderLine[]) => HeaderText
  readonly event: (asked: Asked) => string
}

/**
 * Writes the events of a load balancer. Most of an event is the same as in the one before, and much of it the same
 * always, so that putting texts together takes far less than making an object and the text of that.
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
      const map = JSON.stringify(isMultiValue(event) ? event.multiValueHeaders : event.headers)
      return {
        lines,
        text: `${headersName}${map.slice(0, -1)},"x-cloud-trace-id":${multiValue ? '[' : ''}`,
      }
    },

    event({ method, path, query, headers, trace, body }) {
      const before = `${start}${method}","path":${JSON.stringify(path)}${parameters}`
      const middle = `${headers.text}${trace}${headersEnd}`
      if (query === '' && body.byteLength === 0)
        return `${before}{}${middle},"body":"","isBase64Encoded":false}`
      const event = requestEvent({ method, path, query, headers: headers.lines, body }, group)
      const { queryStringParameters, multiValueQueryStringParameters, isBase64Encoded } = event
      return `${before}${JSON.stringify(queryStringParameters ?? multiValueQueryStringParameters)}${middle},"body":${JSON.stringify(event.body)},"isBase64Encoded":${isBase64Encoded}}`
    },
  }
}

/**
 * What a verdict asks of an event that was not refused when it came: its method, and which maps it has. Its other
 * fields are empty.
 */
export function eventOutline(method: Method, group: TargetGroup): LoadBalancerEvent {
  return requestEvent({ method, path: '/' }, group)
}
