import type { EndedSpan } from '../trace/own-tracer.ts'
import type { Attributes } from '../trace/span.ts'

const kinds = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const
const errorStatus = 2

/** Returns a span in the JSON form of the OpenTelemetry protocol, as text. */
export function encodeSpan(span: EndedSpan): string {
  const { failure } = span
  return JSON.stringify({
    ...{ traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentId },
    ...{ name: span.name, kind: kinds[span.kind] },
    ...{ startTimeUnixNano: nanoseconds(span.startedAt), endTimeUnixNano: nanoseconds(span.endedAt) },
    attributes: encodeAttributes({ ...span.attributes, 'error.type': failure?.type }),
    links: span.links.map(({ traceId, spanId }) => ({ traceId, spanId })),
    status: failure === undefined ? {} : { code: errorStatus },
  })
}

/** Returns the body of a request with spans that `encodeSpan` has made. */
export function encodeRequest(resource: Attributes, scope: string, spans: readonly string[]): string {
  const described = JSON.stringify({ attributes: encodeAttributes(resource) })
  return `{"resourceSpans":[{"resource":${described},"scopeSpans":[{"scope":{"name":"${scope}"},"spans":[${spans.join(',')}]}]}]}`
}

function encodeAttributes(attributes: Attributes): readonly object[] {
  return (
    Object.entries(attributes)
      // JSON has no numbers that are not finite.
      .filter(([, value]) => value !== undefined && (typeof value !== 'number' || Number.isFinite(value)))
      .map(([key, value]) => ({ key, value: encodeValue(value!) }))
  )
}

function encodeValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Returns milliseconds as nanoseconds, which are larger than what a number holds. */
function nanoseconds(milliseconds: number): string {
  const whole = Math.floor(milliseconds)
  return `${whole}${String(Math.floor((milliseconds - whole) * 1e6)).padStart(6, '0')}`
}
