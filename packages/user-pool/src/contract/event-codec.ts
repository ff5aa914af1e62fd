import { compile } from '@signalbox/codec'
import {
  confidentially,
  failure,
  codecOf as newCodec,
  type ObjectCodec,
  success,
} from '@signalbox/codec/wire'
import type { Mixed, Type } from 'io-ts'
import { object, required } from './fields/field.ts'
import { codecOf } from './fields/shape-codec.ts'
import type { Source, WireEvent } from './trigger-event.ts'
import { commonFields, commonFieldsOfSenders } from './triggers/common-fields.ts'
import { expectedSource, type KnownSource, knownSource } from './triggers/source.ts'

interface Checked {
  readonly codec: Mixed
  readonly guard: (u: unknown) => boolean
}

const checks = new Map<unknown, Checked>()

// The codec of a source is made when its first event arrives. A function gets events of few sources, so it starts
// faster without the other codecs.
function checkOf(source: unknown): Checked | undefined {
  const made = checks.get(source)
  if (made) return made
  const known = knownSource(source)
  if (known === undefined) return undefined
  const codec = eventCodecOf(known)
  const check = { codec, guard: compile(codec) }
  checks.set(source, check)
  return check
}

function eventCodecOf({ source, row, request }: KnownSource): Mixed {
  const common = row.answer === 'not read' ? commonFieldsOfSenders : commonFields
  return confidentially(
    codecOf(`${source} event`, { ...common, request: required(object(`${source} request`, request)) }),
  )
}

/**
 * Returns the codec for events of one trigger source.
 * @example
 * ```ts
 * import { eventCodec } from '@signalbox/user-pool/contract'
 * import { preSignUpEvent } from '@signalbox/user-pool/testing'
 *
 * eventCodec('PreSignUp_SignUp').is(preSignUpEvent()) // true
 * eventCodec('PreSignUp_SignUp').is({ userName: 'ada' }) // false
 * ```
 */
export function eventCodec<S extends Source>(source: S): ObjectCodec<WireEvent<S>> {
  return checkOf(source)!.codec as never
}

/**
 * The codec of every user-pool event (docs/contract/user-pool.md). It checks an event with the codec of the event's
 * trigger source, so that all problems are about that source. Unknown fields are kept. Problems show no values, because
 * any field may hold a secret.
 */
export const triggerEventCodec: Type<WireEvent, unknown, unknown> = confidentially(
  newCodec({
    name: 'user-pool event',
    is: (u): u is WireEvent => checkOf(sourceIn(u))?.guard(u) ?? false,
    validate(u, context) {
      const source = sourceIn(u)
      const check = checkOf(source)
      if (check) return check.guard(u) ? success(u as WireEvent) : check.codec.validate(u, context)
      if (typeof u !== 'object' || u === null) return failure({ value: u, context })
      const place = { key: 'triggerSource', type: sourceNear(source), actual: source }
      return failure({ value: source, context: [...context, place] })
    },
  }),
)

/** Returns a codec whose name describes the expected trigger source. */
function sourceNear(source: unknown): Mixed {
  return newCodec({
    name: expectedSource(source),
    is: (u): u is unknown => knownSource(u) !== undefined,
    validate: (value, context) => failure({ value, context }),
  })
}

function sourceIn(u: unknown): unknown {
  return typeof u === 'object' && u !== null ? (u as { triggerSource?: unknown }).triggerSource : undefined
}
