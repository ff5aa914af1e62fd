import { compile } from '@signalbox/codec'
import { codecOf, type Fields, object, required } from '../contract/fields/field.ts'
import { commonFields, knownSource } from '../contract/index.ts'

type Guard = (event: unknown) => boolean

const guards = new Map<unknown, Guard>()

// Made for the first event of a source, as the contract's guard is.
function make(source: unknown): Guard | undefined {
  const known = knownSource(source)
  if (known === undefined) return undefined
  const request = required(object('request', normalizedFields(known.request)))
  const guard = compile(codecOf('event', { ...commonFields, request }))
  guards.set(source, guard)
  return guard
}

// Fields after the normalizer: it filled every map in.
function normalizedFields(fields: Fields): Fields {
  const normalized: Record<string, Fields[string]> = {}
  for (const [name, field] of Object.entries(fields)) {
    if (field === undefined) continue
    const { shape } = field
    const inner = shape.fields ? { ...shape, ...object(name, normalizedFields(shape.fields)) } : shape
    normalized[name] = { ...field, shape: inner, required: field.required || shape.filled === true }
  }
  return normalized
}

/**
 * Whether an event is valid and the normalizer would not change it. One guard spares most events both steps.
 */
export function isNormalized(event: unknown): boolean {
  if (typeof event !== 'object' || event === null) return false
  const { triggerSource } = event as { readonly triggerSource?: unknown }
  return (guards.get(triggerSource) ?? make(triggerSource))?.(event) ?? false
}
