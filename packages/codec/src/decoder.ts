import type { Type, Validation } from 'io-ts'
import { compile } from './guard/compile.ts'
import { type Codec, structure } from './io-ts/structure.ts'
import { transforms } from './io-ts/transforms.ts'
import { parseJson } from './json/parse-json.ts'
import type { CodecOrSchema } from './standard/standard-schema.ts'
import { toCodec } from './standard/to-codec.ts'

/** The result of a decoder for a value that cannot be decoded. */
export const undecodable: unique symbol = Symbol('undecodable')

/**
 * A decoder for many values. It returns what `decode` returns, or `undecodable` where `decode` throws, because finding the
 * problems takes longer than decoding; call `problems` for them. It is prepared at its first call and never throws.
 *
 * @example
 * const read = decoder(fromJson(Order))
 * const order = read(text)
 * if (order === undecodable) console.log(problems(fromJson(Order), text))
 */
export function decoder<A>(codec: Type<A, unknown, unknown>): (value: unknown) => A | typeof undecodable
/** The same for a schema of another library. Where the schema is asynchronous, the result is a promise. */
export function decoder<A>(
  schema: CodecOrSchema<A>,
): (value: unknown) => A | typeof undecodable | Promise<A | typeof undecodable>
export function decoder<A>(schema: CodecOrSchema<A>): (value: unknown) => A | typeof undecodable {
  const codec = toCodec(schema)
  let run: (value: unknown) => unknown = value => {
    run = prepare(codec)
    return run(value)
  }
  return value => {
    try {
      return run(value) as A | typeof undecodable
    } catch {
      return undecodable
    }
  }
}

function prepare(codec: Codec): (value: unknown) => unknown {
  if (!transforms(codec)) {
    const guard = compile(codec)
    return value => (guard(value) ? value : decodeSlowly(codec, value))
  }
  const shape = structure(codec)
  const inner = shape.parts[0]
  if (shape.kind === 'same' && shape.read && inner !== undefined && !transforms(inner)) {
    const guard = compile(inner)
    return text => {
      if (typeof text !== 'string') return undecodable
      const value = parseJson(text)
      return guard(value) ? value : decodeSlowly(inner, value)
    }
  }
  return value => decodeSlowly(codec, value)
}

function decodeSlowly(codec: Codec, value: unknown): unknown {
  const decoded = codec.decode(value)
  return decoded instanceof Promise ? decoded.then(rightOf) : rightOf(decoded)
}

function rightOf(decoded: Validation<unknown>): unknown {
  return decoded._tag === 'Right' ? decoded.right : undecodable
}
