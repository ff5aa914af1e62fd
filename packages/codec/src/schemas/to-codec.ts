import type * as t from 'io-ts'
import { requireCodec } from '../io-ts/require-codec.ts'
import { isSchema } from './is-schema.ts'
import { schemaCodec } from './schema-codec.ts'
import type { CodecOrSchema } from './standard-schema.ts'

/**
 * Returns the codec that behaves like a schema of another library. A codec of io-ts is returned unchanged. If the
 * schema is asynchronous, `validate` and `decode` of its codec return promises, which only `validateAsync` and
 * `decoder` expect. See docs/decisions/codecs-and-guards.md#schemas-of-any-library.
 * @throws TypeError for a value that is neither a codec nor a schema
 */
export function toCodec<A>(schema: CodecOrSchema<A>): t.Type<A, unknown, unknown> {
  if (isSchema(schema)) return schemaCodec(schema) as t.Type<A, unknown, unknown>
  return requireCodec(schema, 'a codec of io-ts or a schema of another library')
}
