import * as t from 'io-ts'

/** A codec from JSON text to what `codec` accepts. */
export function fromJson<A>(codec: t.Type<A, unknown, unknown>): t.Type<A, string, unknown> {
  return new t.Type(
    `FromJson<${codec.name}>`,
    codec.is,
    (text, context) => {
      if (typeof text !== 'string') return t.failure(text, context)
      let value: unknown
      try {
        value = JSON.parse(text)
      } catch {
        return t.failure(text, context, 'JSON text')
      }
      return codec.validate(value, context)
    },
    value => JSON.stringify(codec.encode(value)),
  )
}
