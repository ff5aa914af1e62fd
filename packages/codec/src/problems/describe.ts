import { isSecret } from './secret.ts'

/** The maximum number of characters that a problem shows of a string. */
const longest = 40

/** Describes a value, such as "string 'abc'", "an array of 3" or "null". For a secret, it names only the type. */
export function describe(value: unknown, secret: boolean): string {
  const type = typeof value
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return secret ? 'an array' : `an array of ${value.length}`
  if (type === 'object') return 'an object'
  if (secret || type === 'function' || type === 'symbol') return `a ${type}`
  const text = String(value)
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text
  // Finds the name of a secret that is followed by a value, as in a body, a query string or a header.
  if (shown.match(/[\w-]+(?=[^\w-])/g)?.some(isSecret)) return `a ${type}`
  return type === 'string' ? `string '${shown}'` : `${type} ${shown}`
}
