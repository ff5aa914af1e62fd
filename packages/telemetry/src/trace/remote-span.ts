import type { RemoteSpan } from './span.ts'

const none = /^0+$/

/** Reads the value of a header `traceparent`. Returns undefined for anything that breaks the standard. */
export function fromTraceparent(value: string | undefined): RemoteSpan | undefined {
  const match = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/.exec(value?.trim() ?? '')
  if (match === null) return undefined
  const [, version = '', traceId = '', spanId = '', flags = '', more] = match
  // Later versions may append fields.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined
  return spanOf(traceId, spanId, (Number.parseInt(flags, 16) & 1) === 1)
}

/** Returns the value of a header `traceparent`. */
export function toTraceparent({ traceId, spanId, isSampled }: RemoteSpan): string {
  return `00-${traceId}-${spanId}-0${isSampled ? 1 : 0}`
}

/**
 * Reads the trace header of a queue, in the form of X-Ray: `Root=1-(8 digits)-(24 digits);Parent=(16 digits);Sampled=1`.
 * Returns undefined if it names no span.
 */
export function fromTraceHeader(value: string | undefined): RemoteSpan | undefined {
  if (value === undefined || value.length > 1000) return undefined
  const fields = new Map<string, string>()
  for (const field of value.split(';')) {
    const at = field.indexOf('=')
    fields.set(field.slice(0, at).trim(), field.slice(at + 1).trim())
  }
  const root = /^1-([\da-f]{8})-([\da-f]{24})$/i.exec(fields.get('Root') ?? '')
  const parent = fields.get('Parent') ?? ''
  if (root === null || !/^[\da-f]{16}$/i.test(parent)) return undefined
  return spanOf(`${root[1]}${root[2]}`.toLowerCase(), parent.toLowerCase(), fields.get('Sampled') === '1')
}

/** Returns the value of the trace header of a queue. */
export function toTraceHeader({ traceId, spanId, isSampled }: RemoteSpan): string {
  return `Root=1-${traceId.slice(0, 8)}-${traceId.slice(8)};Parent=${spanId};Sampled=${isSampled ? 1 : 0}`
}

function spanOf(traceId: string, spanId: string, isSampled: boolean): RemoteSpan | undefined {
  return none.test(traceId) || none.test(spanId) ? undefined : { traceId, spanId, isSampled }
}
