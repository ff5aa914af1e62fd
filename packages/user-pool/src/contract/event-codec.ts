import { compile } from '@signalbox/codec'
import * as t from 'io-ts'
import { commonFields, commonFieldsOfSenders } from './common-fields.ts'
import { codecOf, object, required } from './field.ts'
import { expectedSource, knownSource, sources } from './source.ts'
import type { Source, WireEvent } from './trigger-event.ts'

interface Checked {
  readonly codec: t.Mixed
  readonly guard: (u: unknown) => boolean
}

const checks = new Map<unknown, Checked>()
for (const source of sources) {
  const codec = eventCodecOf(source)
  checks.set(source, { codec, guard: compile(codec) })
}

function eventCodecOf(source: Source): t.Mixed {
  const { row, request } = knownSource(source)!
  const common = row.answer === 'not read' ? commonFieldsOfSenders : commonFields
  return codecOf(`${source} event`, { ...common, request: required(object(`${source} request`, request)) })
}

/** The contract of the events of one trigger source, given the source. */
export function eventCodec<S extends Source>(source: S): t.Type<WireEvent<S>, unknown, unknown> {
  return checks.get(source)!.codec
}

/**
 * The contract of every user-pool event (contract A.1, A.2). An event is held against the contract of its own
 * trigger source, so that its problems are about that one alone. Unknown fields are let through.
 */
export const triggerEventCodec: t.Type<WireEvent, unknown, unknown> = new t.Type(
  'user-pool event',
  (u): u is WireEvent => checks.get(sourceIn(u))?.guard(u) ?? false,
  (u, context) => {
    const source = sourceIn(u)
    const check = checks.get(source)
    if (check) return check.codec.validate(u, context)
    if (typeof u !== 'object' || u === null) return t.failure(u, context)
    const wrong = {
      key: 'triggerSource',
      type: { name: expectedSource(source) } as t.Decoder<unknown, unknown>,
    }
    return t.failure(source, [...context, wrong])
  },
  t.identity,
)

function sourceIn(u: unknown): unknown {
  return typeof u === 'object' && u !== null ? (u as { triggerSource?: unknown }).triggerSource : undefined
}
