import type { Type } from 'io-ts'
import { compile } from './compile.ts'
import { parseJson } from './parse-json.ts'
import { refuseNonCodec } from './refuse-non-codec.ts'
import { type Codec, structure } from './structure.ts'
import { transforms } from './transforms.ts'

/** What a decoder answers for a value that cannot be decoded. */
export const undecodable: unique symbol = Symbol('undecodable')

/**
 * A decoder made once for many values. It answers as `decode` does, but where that throws it only says
 * `undecodable`: to work out what is wrong takes longer than to decode, and not everybody wants to know. Ask
 * `problems` then. Prepared when it is first called; never throws.
 */
export function decoder<A>(codec: Type<A, unknown, unknown>): (value: unknown) => A | typeof undecodable {
  refuseNonCodec(codec)
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
  return decoded._tag === 'Right' ? decoded.right : undecodable
}
