/**
 * Refuses what is not a codec of io-ts, before a missing method makes every value look wrong.
 * @throws TypeError that says what to do with a schema of another library, such as zod
 */
export function refuseNonCodec(codec: unknown): void {
  const { is, '~standard': standard } = Object(codec) as {
    readonly is?: unknown
    readonly '~standard'?: unknown
  }
  if (typeof is === 'function') return
  throw new TypeError(
    standard === undefined
      ? 'This is not a codec of io-ts: it has no function `is`.'
      : 'This is a schema of another library, expected a codec of io-ts. Describe the data with io-ts, or call the schema in a codec of your own: new t.Type(name, is, validate, encode).',
  )
}
