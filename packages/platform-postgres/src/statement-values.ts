/** Adds a value to a statement, and returns its place in the text, such as `$1`. */
export type Place = (value: unknown) => string

/** Collects the values of a statement that is composed of parts. */
export function statementValues(): { readonly values: readonly unknown[]; readonly place: Place } {
  const values: unknown[] = []
  return { values, place: value => `$${values.push(value)}` }
}

/**
 * Returns rows as a part of a statement. Most statements have a single row, and PostgreSQL reads plain values faster than
 * arrays. Other numbers of rows share one text, so that they share a plan.
 * @param columns the type of each column
 */
export function rowsOf(
  place: Place,
  columns: { readonly [name: string]: 'text' | 'integer' | 'bigint' },
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const types = Object.values(columns)
  const of =
    rows.length === 1
      ? `(values (${types.map((type, at) => `${place(rows[0]![at])}::${type}`).join(', ')}))`
      : `unnest(${types.map((type, at) => `${place(rows.map(row => row[at]))}::${type}[]`).join(', ')})`
  return `${of} as u (${Object.keys(columns).join(', ')})`
}
