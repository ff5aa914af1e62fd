import type * as t from 'io-ts'

/** A codec with any types. */
export type Codec = t.Mixed

const identity = <A>(value: A): A => value

/** The functions that `codecOf` turns into a codec. */
interface Abilities<A, O> {
  readonly name: string
  readonly is: t.Is<A>
  readonly validate: t.Validate<unknown, A>
  /** Encodes a value. Default: returns the value unchanged. */
  readonly encode?: t.Encode<A, O>
}

/**
 * Makes a codec that every function of io-ts accepts. It is not an instance of io-ts's class `Type`, which would bring
 * a third of the library into a bundle.
 * @example
 * ```ts
 * import { codecOf, failure, success } from '@signalbox/codec/wire'
 *
 * const isEven = (value: unknown): value is number => typeof value === 'number' && value % 2 === 0
 * export const Even = codecOf({
 *   name: 'even number',
 *   is: isEven,
 *   validate: (value, context) => (isEven(value) ? success(value) : failure({ value, context })),
 * })
 * Even.is(4) // true
 * ```
 */
export function codecOf<A, O = A>({
  name,
  is,
  validate,
  encode = identity as never,
}: Abilities<A, O>): t.Type<A, O> {
  const codec = {
    name,
    is,
    validate,
    encode,
    decode: (value: unknown) => validate(value, [{ key: '', type: codec as never, actual: value }]),
    pipe: (next: Codec, name?: string) => piped(codec as never, next, name),
    asDecoder: () => codec,
    asEncoder: () => codec,
  }
  return codec as never
}

function piped(first: Codec, next: Codec, name = `pipe(${first.name}, ${next.name})`): Codec {
  return codecOf({
    name,
    is: next.is,
    validate: (value, context) => {
      const found = first.validate(value, context)
      return found._tag === 'Left' ? found : next.validate(found.right, context)
    },
    encode: value => first.encode(next.encode(value)),
  })
}

/**
 * Returns the io-ts result for a decoded value.
 * @example
 * ```ts
 * import { success } from '@signalbox/codec/wire'
 *
 * success(4) // { _tag: 'Right', right: 4 }
 * ```
 */
export function success<A>(right: A): t.Validation<A> {
  return { _tag: 'Right', right }
}

/**
 * Returns the io-ts result for a value that cannot be decoded.
 * @example
 * ```ts
 * import { codecOf, failure } from '@signalbox/codec/wire'
 *
 * export const Never = codecOf({
 *   name: 'never',
 *   is: (value: unknown): value is never => false,
 *   validate: (value, context) => failure({ value, context }),
 * })
 * Never.decode(1)._tag // 'Left'
 * ```
 */
export function failure(...left: t.Errors): t.Validation<never> {
  return { _tag: 'Left', left }
}
