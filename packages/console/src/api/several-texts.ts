import * as t from 'io-ts'

/** The values of a query parameter that may be repeated. */
export const severalTexts = new t.Type<readonly string[], string | readonly string[], unknown>(
  'texts',
  (value): value is readonly string[] =>
    Array.isArray(value) && value.every(each => typeof each === 'string'),
  (value, context) =>
    typeof value === 'string'
      ? t.success([value])
      : Array.isArray(value) && value.every(each => typeof each === 'string')
        ? t.success(value)
        : t.failure(value, context),
  value => value,
)
