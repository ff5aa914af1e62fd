import { compile } from '@signalbox/codec'
import { codecOf, type Fields, object, required } from './contract/field.ts'
import { commonFields, knownSource } from './contract/index.ts'

type Guard = (event: unknown) => boolean

const guards = new Map<unknown, Guard>()

// Made for the first event of a source, like the contract's own.
function make(source: unknown): Guard | undefined {
  const known = knownSource(source)
  if (known === undefined) return undefined
  const request = required(object('request', settledFields(known.request)))
  const guard = compile(codecOf('event', { ...commonFields, request }))
  guards.set(source, guard)
  return guard
}

// Fields as the normalizer leaves them: every map that it fills in is there.
function settledFields(fields: Fields): Fields {
  const settled: Record<string, Fields[string]> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field === undefined) continue
    const { shape } = field
    const inner = shape.fields ? { ...shape, ...object(name, settledFields(shape.fields)) } : shape
    settled[name] = { ...field, shape: inner, required: field.required || shape.filled === true }
  }
  return settled
}

/**
 * Whether an event is in order already: valid, and nothing in it for the normalizer to do. One straight look,
 * which spares most events both.
 */
export function isSettled(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false
  const { triggerSource } = event as { readonly triggerSource?: unknown }
  return (guards.get(triggerSource) ?? make(triggerSource))?.(event) ?? false
}
