import type { Errors, Type } from 'io-ts'
import { type Codec, failure, success } from '../io-ts/codec-of.ts'
import type { NodeOf } from '../structure/table.ts'
import { wireCodec } from './wire-codec.ts'

/** A field or an item of a value, with its codec. */
export interface Member {
  readonly key: string
  readonly codec: Codec
  /** True when the field is required but absent. */
  readonly missing?: boolean
}

/**
 * Returns a codec for values that contain other values. Like an io-ts codec, it decodes and encodes each member with
 * the codec of that member. It returns the same value when no member changed, and otherwise a copy.
 *
 * @param holds whether a value is an array, or an object
 * @param membersOf lists the members of a value, in the value's own order
 */
export function container<A, O = A>(
  name: string,
  nodeOf: NodeOf,
  holds: (u: unknown) => boolean,
  is: (u: unknown) => boolean,
  membersOf: (value: object) => readonly Member[],
): Type<A, O, unknown> {
  return wireCodec<A, O>({
    name,
    nodeOf,
    is: is as never,
    validate(value, context) {
      if (!holds(value)) return failure({ value, context })
      const errors: Errors = []
      const decoded = mapped(value as object, membersOf, ({ key, codec, missing }, actual) => {
        const path = [...context, { key, type: codec, actual }]
        const result = missing ? failure({ value: actual, context: path }) : codec.validate(actual, path)
        if (result._tag === 'Right') return result.right
        errors.push(...result.left)
        return actual
      })
      return errors.length > 0 ? failure(...errors) : success(decoded as A)
    },
    encode: value => mapped(value as object, membersOf, ({ codec }, member) => codec.encode(member)) as O,
  })
}

function mapped(
  value: object,
  membersOf: (value: object) => readonly Member[],
  map: (member: Member, value: unknown) => unknown,
): unknown {
  const source = value as Record<string, unknown>
  let result = source
  for (const member of membersOf(value)) {
    const before = source[member.key]
    const after = map(member, before)
    if (after === before) continue
    if (result === source) result = (Array.isArray(value) ? [...value] : { ...value }) as never
    result[member.key] = after
  }
  return result
}
