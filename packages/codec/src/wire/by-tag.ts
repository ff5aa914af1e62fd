import type { OutputOf, Type, TypeOf } from 'io-ts'
import { type Codec, failure } from '../io-ts/codec-of.ts'
import { isObject } from '../json/is-object.ts'
import { valuesInWords } from '../structure/words.ts'
import { oneOf } from './values.ts'
import { wireCodec } from './wire-codec.ts'

/**
 * Returns a codec for objects of several kinds, whose field `tag` contains the name of the kind.
 * @example
 * ```ts
 * import { byTag, number, object, oneOf, required } from '@signalbox/codec/wire'
 *
 * const Shape = byTag('shape', 'kind', {
 *   circle: object('circle', { kind: required(oneOf('circle')), radius: required(number) }),
 *   square: object('square', { kind: required(oneOf('square')), side: required(number) }),
 * })
 * Shape.is({ kind: 'square', side: 2 }) // true
 * ```
 */
export function byTag<B extends { readonly [value: string]: Codec }>(
  name: string,
  tag: string,
  branches: B,
): Type<TypeOf<B[keyof B]>, OutputOf<B[keyof B]>, unknown> {
  const names = Object.keys(branches)
  const branchOf = (u: unknown): Codec | undefined => {
    const value = isObject(u) ? u[tag] : undefined
    return typeof value === 'string' && Object.hasOwn(branches, value) ? branches[value] : undefined
  }
  return wireCodec({
    name,
    nodeOf: ({ add }) => [
      'tagged',
      valuesInWords(names),
      tag,
      ...names.map(name => [add(branches[name]!), name] as const),
    ],
    is: (u): u is TypeOf<B[keyof B]> => branchOf(u)?.is(u) ?? false,
    validate(value, context) {
      const branch = branchOf(value)
      if (branch) return branch.validate(value, context)
      if (!isObject(value)) return failure({ value, context })
      const actual = value[tag]
      return failure({ value: actual, context: [...context, { key: tag, type: oneOf(...names), actual }] })
    },
    encode: value => branchOf(value)!.encode(value),
  })
}
