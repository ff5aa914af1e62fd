import type { Type, Validation } from 'io-ts'
import { compile } from '../guard/compile.ts'
import { parseJson } from '../json/parse-json.ts'
import { isLater } from '../schemas/is-schema.ts'
import type { CodecOrSchema } from '../schemas/standard-schema.ts'
import { toCodec } from '../schemas/to-codec.ts'
import { transforms } from '../structure/structure.ts'
import { jsonContent } from './from-json.ts'

/** The result of a decoder for a value that cannot be decoded. */
export const undecodable: unique symbol = Symbol('undecodable')

/**
 * Returns a decoder for many values. The decoder returns what `decode` returns, or `undecodable` where `decode` throws.
 * It does not list the problems, because finding them takes longer than decoding. To list them, call `problems`. The
 * decoder is prepared at its first call and never throws.
 *
 * @example
 * const read = decoder(fromJson(Order))
 * const order = read(text)
 * if (order === undecodable) console.log(problems(fromJson(Order), text))
 */
export function decoder<A>(codec: Type<A, unknown, unknown>): (value: unknown) => A | typeof undecodable
/** Also accepts a schema of another library. For an asynchronous schema, the decoder returns a promise. */
export function decoder<A>(
  schema: CodecOrSchema<A>,
): (value: unknown) => A | typeof undecodable | Promise<A | typeof undecodable>
export function decoder<A>(schema: CodecOrSchema<A>): (value: unknown) => A | typeof undecodable {
  const codec = toCodec(schema)
  const content = jsonContent(codec)
  const inner = content ?? codec
  let check: ((value: unknown) => boolean) | undefined
  return value => {
    try {
      check ??= transforms(inner) ? () => false : compile(inner)
      if (content !== undefined && typeof value !== 'string') return undecodable
      const parsed = content === undefined ? value : parseJson(value as string)
      if (check(parsed)) return parsed as A
      const decoded = inner.decode(parsed)
      return (isLater(decoded) ? decoded.then(rightOf) : rightOf(decoded)) as A | typeof undecodable
    } catch {
      return undecodable
    }
  }
}

function rightOf(decoded: Validation<unknown>): unknown {
  return decoded._tag === 'Right' ? decoded.right : undecodable
}
