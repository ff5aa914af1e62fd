import { compile } from '@signalbox/codec'
import { codecOf, type Fields, object, required } from './contract/field.ts'
import { commonFields, knownSource, sources } from './contract/index.ts'

const guards = new Map<unknown, (event: unknown) => boolean>()
for (const source of sources) {
  const request = required(object('request', settledFields(knownSource(source)!.request)))
  guards.set(source, compile(codecOf('event', { ...commonFields, request })))
}

// Fields as the normalizer leaves them: every map that it fills in is there.
function settledFields(fields: Fields): Fields {
  const settled: Record<string, Fields[string]> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field === undefined) continue
    const { shape } = field
    const inner = shape.fields ? { ...shape, ...object(name, settledFields(shape.fields)) } : shape
    settled[name] = { ...field, shape: inner, required: field.required || shape.filled }
  }
  return settled
}

/**
 * Whether an event is in order already: valid, and nothing in it for the normalizer to do. One straight look,
 * which spares most events both.
 */
export function isSettled(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false
  return guards.get((event as { readonly triggerSource?: unknown }).triggerSource)?.(event) ?? false
}
