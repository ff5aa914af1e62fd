import type * as t from 'io-ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { refuseNonCodec } from '../io-ts/refuse-non-codec.ts'
import { understanding } from '../understanding/understand.ts'
import type { CodecOrSchema, StandardSchema } from './standard-schema.ts'

/**
 * Returns the codec that behaves like a schema of another library. A codec of io-ts is returned unchanged. If the
 * schema is asynchronous, `validate` and `decode` of its codec return promises, which only `validateAsync` and
 * `decoder` expect. See docs/decisions/schemas-of-any-library.md.
 * @throws TypeError for a value that is neither a codec nor a schema
 */
export function toCodec<A>(schema: CodecOrSchema<A>): t.Type<A, unknown, unknown> {
  if ((schema as StandardSchema)?.['~standard']) return understanding.schemaCodec(schema as StandardSchema)
  refuseNonCodec(schema as Codec)
  return schema as Codec
}
