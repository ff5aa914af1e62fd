/** The maximum number of values that a description lists. Further values are only counted. */
const most = 20

/** Describes a list of accepted values, such as "one of 'A', 'B'". */
export function valuesInWords(values: readonly unknown[]): string {
  const words = values.slice(0, most).map(value => (typeof value === 'string' ? `'${value}'` : String(value)))
  if (values.length > most) words.push(`${values.length - most} more`)
  if (words.length === 0) return 'nothing'
  return words.length > 1 && values.every(value => value !== null && value !== undefined)
    ? `one of ${words.join(', ')}`
    : alternatives(words)
}

/** Joins descriptions with "or". */
export function alternatives(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : `${words}`
}
