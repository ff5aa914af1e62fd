/**
 * Refuses a value that is not an io-ts codec. Otherwise every value would look invalid because of a missing method.
 * @throws TypeError that says what to do with a schema of another library, such as zod
 */
export function refuseNonCodec(codec: { readonly is?: unknown }): void {
  if (typeof codec?.is === 'function') return
  throw new TypeError(
    `Expected a codec of io-ts${codec && '~standard' in codec ? ', not a schema of another library. Describe the data with io-ts, or call the schema in a codec: new t.Type(name, is, validate, encode)' : ''}.`,
  )
}
