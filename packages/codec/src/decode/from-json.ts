import type { Type } from 'io-ts'
import { compile } from '../guard/compile.ts'
import { type Codec, codecOf, failure, success } from '../io-ts/codec-of.ts'
import { brokenAt } from '../json/broken-at.ts'
import { parseJson } from '../json/parse-json.ts'
import type { CodecOrSchema } from '../schemas/standard-schema.ts'
import { toCodec } from '../schemas/to-codec.ts'
import { declare, transforms } from '../structure/structure.ts'
import { type Read, reading } from '../structure/written.ts'

/**
 * Returns a codec that parses JSON text and decodes the result with the given codec. Use it for bodies and other
 * strings inside events. Its guard is that of the given codec and checks the decoded value. Fields named `__proto__`
 * are omitted. If a string is not JSON, the problem contains the position of the error, and never quotes the string.
 * Also accepts a schema of another library.
 *
 * @example
 * decode(fromJson(t.array(t.number)), '[1, 2]') // [1, 2]
 */
export function fromJson<A>(schema: CodecOrSchema<A>): Type<A, string, unknown> {
  const codec = toCodec(schema)
  const json = codecOf<A, string>({
    name: `FromJson<${codec.name}>`,
    is: (value): value is A => codec.is(value),
    validate(text, context) {
      const refuse = (why: string) => failure({ value: text, context, message: `expected JSON text${why}` })
      if (typeof text !== 'string') return refuse('')
      try {
        const value = parseJson(text)
        return !transforms(codec) && compile(codec)(value) ? success(value) : codec.validate(value, context)
      } catch (error) {
        if (!(error instanceof SyntaxError)) return refuse(', but it cannot be checked')
        return refuse(`, but it breaks at position ${brokenAt(text)}`)
      }
    },
    encode: value => JSON.stringify(codec.encode(value)),
  })
  declare(json, ({ add }) => ['json', add(codec)])
  contents.set(json, codec)
  return Object.assign(json, { _tag: 'FromJsonType', type: codec, [reading]: read })
}

const contents = new WeakMap<Codec, Codec>()

/** Returns the codec inside a codec that `fromJson` made, or undefined for any other codec. */
export function jsonContent(codec: Codec): Codec | undefined {
  return contents.get(codec)
}

const read: Read = text => {
  try {
    return { value: parseJson(text) }
  } catch {
    return { refused: `text that breaks at position ${brokenAt(text)}` }
  }
}
