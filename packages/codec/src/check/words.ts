import type { Codec } from '../io-ts/codec-structure.ts'
import { structure } from '../io-ts/structure.ts'

/** The maximum number of values that a description lists. Further values are only counted. */
const most = 20

/** Describes what a codec accepts, such as "string", "one of 'A', 'B'" or "object or null". */
export function inWords(codec: Codec): string {
  const shape = structure(codec)
  const parts = () => [...new Set(shape.parts.map(inWords))]
  switch (shape.kind) {
    case 'any':
      return 'anything'
    case 'typeof':
      return shape.type
    case 'oneOf':
      return valuesInWords(shape.values)
    case 'array':
      return 'array'
    case 'tuple':
      return `array of ${shape.parts.length}`
    case 'all':
      return parts().join(' and ')
    case 'some':
      return alternatives(parts())
    case 'same':
      return shape.read ? 'JSON text' : parts().join()
    case 'refinement':
      // A name that io-ts generated tells the reader nothing more.
      return codec.name.startsWith('(') ? `${parts()} that satisfies ${nameOf(shape.predicate)}` : codec.name
    case 'custom':
    case 'recursion':
      return codec.name
    default:
      return 'object'
  }
}

/** Describes a list of accepted values, such as "one of 'A', 'B'". */
export function valuesInWords(values: readonly unknown[]): string {
  const words = values.slice(0, most).map(value => (typeof value === 'string' ? `'${value}'` : String(value)))
  if (values.length > most) words.push(`${values.length - most} more`)
  if (words.length === 0) return 'nothing'
  return words.length > 1 && values.every(value => value !== null && value !== undefined)
    ? `one of ${words.join(', ')}`
    : alternatives(words)
}

function alternatives(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} or ${words.at(-1)}` : `${words}`
}

function nameOf(predicate: { readonly name: string }): string {
  return predicate.name || 'a condition'
}
