import * as t from 'io-ts'

/** A whole number in a query. */
export const wholeNumber = new t.Type<number, string | number, unknown>(
  'a whole number',
  (value): value is number => Number.isSafeInteger(value),
  (value, context) =>
    typeof value === 'string' && /^\d{1,16}$/.test(value) && Number.isSafeInteger(Number(value))
      ? t.success(Number(value))
      : t.failure(value, context),
  String,
)

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
