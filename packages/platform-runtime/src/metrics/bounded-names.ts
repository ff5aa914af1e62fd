/** The value of a label for everything that has no series of its own. */
export const other = 'other'

/**
 * Returns a function that turns names into values of a label: the first names of the configuration stay as they are, and
 * all others are `other`. So neither clients nor a large configuration can make the number of series grow.
 * @param most the number of names that keep a series of their own
 */
export function boundedNames(configured: readonly string[], most: number): (name: string) => string {
  const known = new Set(configured.slice(0, most))
  return name => (known.has(name) ? name : other)
}
