import type { AnyProps, Type } from 'io-ts'
import { type Codec, codecOf, success } from '../io-ts/codec-of.ts'
import { isObject } from '../json/is-object.ts'
import { inWords } from '../structure/structure.ts'
import type { Mark } from '../structure/table.ts'
import { container } from './container.ts'
import type { Described, Encoded, Encodes, Field, Fields, Holds } from './field.ts'

/**
 * A codec for objects. io-ts combinators that read the fields of a codec accept it: `t.exact(codec)`,
 * `t.partial(codec.props)`. See docs/decisions/codecs-and-guards.md#codecs-of-the-wire.
 */
export interface ObjectCodec<A, O = A, P extends AnyProps = AnyProps> extends Type<A, O, unknown> {
  readonly _tag: 'InterfaceType'
  /**
   * The codecs of the fields. The codec of an optional field also accepts undefined, and null where null means absent.
   */
  readonly props: P
}

/** The codecs of these fields. */
export type PropsOf<F extends Fields> = {
  [K in keyof F as F[K] extends Field ? K : never]: F[K] extends Field<unknown, true, unknown>
    ? Type<Holds<F[K]>, Encodes<F[K]>, unknown>
    : Type<Holds<F[K]> | undefined, Encodes<F[K]> | undefined, unknown>
}

/**
 * Returns a codec for objects with these fields. Decoding keeps unknown fields.
 * @example
 * ```ts
 * import { number, object, optional, required, string } from '@signalbox/codec/wire'
 *
 * const Order = object('order', { id: required(string), total: optional(number) })
 * Order.is({ id: 'a', total: 12, more: true }) // true
 * Order.is({ total: 12 }) // false
 * ```
 */
export function object<const F extends Fields, _Inferred extends boolean>(
  name: string,
  fields: F,
): ObjectCodec<Described<F>, Encoded<F>, PropsOf<F>>
/** Returns a codec for objects of an explicit type: `object<Line>('line', fields)`. */
export function object<A, O = A>(name: string, fields: Fields): ObjectCodec<A, O>
export function object<A>(name: string, fields: Fields): ObjectCodec<A> {
  const names: string[] = []
  const parts: Codec[] = []
  const marks: Mark[] = []
  for (const [key, field] of Object.entries(fields)) {
    if (field === undefined) continue
    names.push(key)
    parts.push(field.codec)
    marks.push(field.required ? '!' : field.nullable ? '?' : '-')
  }
  const isAbsent = (value: unknown, i: number) =>
    value === undefined ? marks[i] !== '!' : value === null && marks[i] === '?'
  const codecAt = (i: number) =>
    marks[i] === '!'
      ? parts[i]!
      : orAbsent(parts[i]!, inWords(parts[i]!) + (marks[i] === '?' ? ' or null' : ''), u => isAbsent(u, i))
  const codec = container<A>(
    name,
    ({ add }) => ['object', ...names.flatMap((name, i) => [marks[i]! + name, add(parts[i]!)])],
    isObject,
    u => {
      if (!isObject(u)) return false
      for (const [i, name] of names.entries()) {
        const value = u[name]
        if (isAbsent(value, i)) continue
        if ((value === undefined && !Object.hasOwn(u, name)) || !parts[i]!.is(value)) return false
      }
      return true
    },
    value =>
      names.flatMap((key, i) =>
        isAbsent(value[key as never], i)
          ? []
          : [
              {
                key,
                codec: codecAt(i),
                missing: value[key as never] === undefined && !Object.hasOwn(value, key),
              },
            ],
      ),
  )
  // The props are created at their first use. Functions never use them, so they start sooner without them.
  const props = () => Object.fromEntries(names.map((name, i) => [name, codecAt(i)]))
  return Object.defineProperty(Object.assign(codec, { _tag: 'InterfaceType' }), 'props', {
    get: props,
  }) as never
}

/** Returns the codec of a field that may be absent. */
function orAbsent(codec: Codec, name: string, isAbsent: (u: unknown) => boolean): Codec {
  const optional: Codec = codecOf<unknown, unknown>({
    name,
    is: (u): u is unknown => isAbsent(u) || codec.is(u),
    validate: (u, context) => (isAbsent(u) ? success(u) : codec.validate(u, context)),
    encode: u => (isAbsent(u) ? u : codec.encode(u)),
  })
  // io-ts calls the inner codec `type`, and code that inspects a codec reads it there.
  return { ...optional, type: codec } as never
}
