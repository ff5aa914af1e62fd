import { nearest, type Problem } from '@signalbox/codec'
import type { Fields } from './contract/index.ts'

/**
 * Fields of an answer that its trigger doesn't have, at any depth that the contract describes: most likely typing
 * errors, and never something that the platform would read. Undefined when there are none.
 */
export function unknownFields(
  answer: object,
  fields: Fields,
  pointer: string,
  wrong?: Problem[],
): Problem[] | undefined {
  let found = wrong
  for (const name of Object.keys(answer)) {
    const value = (answer as Record<string, unknown>)[name]
    const shape = Object.hasOwn(fields, name) ? fields[name]?.shape : undefined
    if (shape === undefined) {
      found ??= []
      found.push({ pointer: `${pointer}/${escaped(name)}`, expected: hint(name, fields), actual: 'a field' })
    } else if (shape.fields !== undefined && typeof value === 'object' && value !== null) {
      found = unknownFields(value, shape.fields, `${pointer}/${name}`, found)
    }
  }
  return found
}

function hint(name: string, fields: Fields): string {
  const known = Object.keys(fields)
  if (known.length === 0) return 'nothing, because no answer is expected here'
  const meant = nearest(name, known)
  return meant === undefined
    ? `one of the fields ${known.join(', ')}`
    : `no such field; did you mean ${meant}?`
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
