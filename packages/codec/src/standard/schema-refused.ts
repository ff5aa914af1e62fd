import type { StandardSchema } from './standard-schema.ts'

/** Returns the error of functions that take only codecs of io-ts, for a schema of another library. */
export function schemaRefused({ '~standard': { vendor } }: StandardSchema): TypeError {
  return new TypeError(
    `Expected a codec of io-ts, got a schema of ${vendor}: only functions such as validate(), decoder() and fromJson() take schemas`,
  )
}
