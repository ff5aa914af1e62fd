import { acting } from './segments-of.ts'

/**
 * Returns the JSON of a value for an editor. Characters that would act are escaped, as JSON allows. A value that
 * indentation would make many times longer, because it is nested deeply, stands in one line.
 */
export function jsonText(value: unknown): string {
  const line = JSON.stringify(value)
  const lines = JSON.stringify(value, null, 2)
  return (lines.length > 10 * line.length ? line : lines).replaceAll(acting, character =>
    character === '\n' ? character : escaped(character),
  )
}

function escaped(character: string): string {
  return character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
