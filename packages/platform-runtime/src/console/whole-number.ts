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
