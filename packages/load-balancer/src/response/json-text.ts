import { kindOf } from '@signalbox/codec'
import { firstLost } from './lost-in-json.ts'

// The first test of a route finds such a value. NODE_ENV is read once, because each reading takes as long as the rest.
const search = process.env.NODE_ENV === 'production' ? undefined : firstLost

/**
 * Returns a value as JSON. The value is searched only if the text has `{}` in it, so that the check costs a usual answer
 * next to nothing.
 * @param where the function that the caller called, for the message
 * @throws TypeError for undefined and, except in production, for another value that JSON cannot hold, such as a Map
 */
export function jsonText(value: unknown, where: string): string {
  const text: string | undefined = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`${where} got ${kindOf(value)}, which JSON cannot hold`)
  const found = text.includes('{}') ? search?.(value) : undefined
  if (found === undefined) return text
  const { name, lost } = found
  throw new TypeError(name === '' ? `${where} got ${lost}` : `${where}: ${JSON.stringify(name)} is ${lost}`)
}
