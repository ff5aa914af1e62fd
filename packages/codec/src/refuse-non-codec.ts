/**
 * Refuses what is not a codec of io-ts, before a missing method makes every value look wrong.
 * @throws TypeError that says what to do with a schema of another library, such as zod
 */
export function refuseNonCodec(codec: { readonly is?: unknown }): void {
  if (typeof codec?.is === 'function') return
  throw new TypeError(
    `Expected a codec of io-ts${codec && '~standard' in codec ? ', not a schema of another library. Describe the data with io-ts, or call the schema in a codec: new t.Type(name, is, validate, encode)' : ''}.`,
  )
}
