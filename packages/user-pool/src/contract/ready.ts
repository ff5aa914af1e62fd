// The guards that functions use. The build of this package replaces this module with their compiled code, so that a
// function compiles nothing when it starts. See docs/decisions/guards-when-packages-are-built.md.
import { prepareGuard } from '@signalbox/codec/ahead'
import { object } from './fields/field.ts'
import type { Fields } from './fields/shape.ts'
import { codecOf } from './fields/shape-codec.ts'
import { commonFields } from './triggers/common-fields.ts'
import { requestKey } from './triggers/request-key.ts'
import { knownSource, sources } from './triggers/source.ts'
import { triggers } from './triggers/triggers.ts'

type Guard = (value: unknown) => boolean

/** Accepts the common fields of a normalized event. */
export const hasCommonFields: Guard = prepareGuard(codecOf('event', commonFields))

/** The guards for normalized requests, by `requestKey`. */
export const requestGuards: Readonly<Record<string, Guard>> = Object.fromEntries(
  sources.map(source => {
    const known = knownSource(source)!
    return [requestKey(known), prepareGuard(codecOf('request', normalizedFields(known.request)))]
  }),
)

/** The guards for answers, by trigger. Only triggers whose answers have fields have a guard. */
export const responseGuards: Readonly<Record<string, Guard>> = Object.fromEntries(
  Object.entries(triggers)
    .filter(([, { response }]) => Object.keys(response).length > 0)
    .map(([trigger, { response }]) => [trigger, prepareGuard(codecOf(`${trigger} response`, response))]),
)

// Returns the fields of a normalized request: maps are required, because the normalizer has added them.
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
