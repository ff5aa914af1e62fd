/** The kind of a value in words, without the value: "nothing", "null", "an array", "a string". */
export function kindOf(value: unknown, anObject = 'an object'): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? anObject : `a ${typeof value}`
}
