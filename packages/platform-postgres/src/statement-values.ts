/** Adds a value to a statement, and returns its place in the text, such as `$1`. */
export type Place = (value: unknown) => string

/** Collects the values of a statement that is composed of parts. */
export function statementValues(): { readonly values: readonly unknown[]; readonly place: Place } {
  const values: unknown[] = []
  return { values, place: value => `$${values.push(value)}` }
}
