import type * as t from 'io-ts'
import { requireCodec } from '../io-ts/require-codec.ts'
import { isSchema } from './is-schema.ts'
import type { schemaCodec } from './schema-codec.ts'
import type { CodecOrSchema } from './standard-schema.ts'

/** The code for schemas, which `understandSchemas` sets. */
export const onDemand: { schemaCodec?: typeof schemaCodec } = {}

/**
 * Works like `toCodec` of `to-codec.ts`, which the bundler plugin replaces with this function. It refuses schemas of
 * other libraries until `understandSchemas` is called.
 */
export function toCodec<A>(schema: CodecOrSchema<A>): t.Type<A, unknown, unknown> {
  const { schemaCodec } = onDemand
  if (schemaCodec && isSchema(schema)) return schemaCodec(schema) as t.Type<A, unknown, unknown>
  return requireCodec(schema as t.Type<A, unknown, unknown>)
}
