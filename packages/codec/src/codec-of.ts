import type * as t from 'io-ts'
import type { Codec } from './structure.ts'

const identity = <A>(value: A): A => value

/** What a codec can do, from which `codecOf` makes it. */
interface Abilities<A, O> {
  readonly name: string
  readonly is: t.Is<A>
  readonly validate: t.Validate<unknown, A>
  /** Without it, values are their own encoding. */
  readonly encode?: t.Encode<A, O>
}

/**
 * A codec like those of io-ts, to be used wherever it takes one. It is not an instance of its `Type`: a bundle that
 * has that class in it has a third of the library.
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
    pipe: (next: Codec, named = `pipe(${name}, ${next.name})`) =>
      codecOf({
        name: named,
        is: next.is,
        validate: (value, context) => {
          const first = validate(value, context)
          return first._tag === 'Left' ? first : next.validate(first.right, context)
        },
        encode: value => encode(next.encode(value)),
      }),
    asDecoder: () => codec,
    asEncoder: () => codec,
  }
  return codec as never
}

/** What io-ts answers for a value that has been decoded. */
export function success<A>(right: A): t.Validation<A> {
  return { _tag: 'Right', right }
}

/** What io-ts answers for a value that cannot be decoded. */
export function failure(...left: t.Errors): t.Validation<never> {
  return { _tag: 'Left', left }
}
