import { isObject } from '@signalbox/codec'
import { deepestJson } from '@signalbox/platform-runtime/listener'
import { MalformedRequest } from './hook.ts'

/** An object of a request, whose fields can have any type. */
export type JsonObject = { readonly [name: string]: unknown }

/** The maximum number of values in a body. A mail has few headers and recipients beside its text. */
const mostValues = 200_000

const [quote, backslash, comma, openList, openObject, closeList, closeObject] = [
  ...[0x22, 0x5c, 0x2c, 0x5b, 0x7b, 0x5d, 0x7d],
] as const as [number, number, number, number, number, number, number]

/**
 * Reads a JSON object. Its values are counted before it is parsed, because a small list takes ten times its bytes.
 * @throws MalformedRequest for a body that is not a JSON object, or that has too many values or levels
 */
export function jsonBody(body: Buffer): JsonObject {
  checkSize(body)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw new MalformedRequest('The body is not JSON.')
  }
  if (!isObject(value)) throw new MalformedRequest('The body is not a JSON object.')
  return value
}

function checkSize(body: Buffer): void {
  let [values, depth] = [0, 0]
  for (let at = 0; at < body.length; at++) {
    const byte = body[at]
    if (byte === quote) at = stringEnd(body, at)
    else if (byte === comma) values++
    else if (byte === openList || byte === openObject) {
      values++
      if (++depth > deepestJson)
        throw new MalformedRequest(`The body is nested more than ${deepestJson} levels deep.`)
    } else if (byte === closeList || byte === closeObject) depth--
    if (values > mostValues) throw new MalformedRequest(`The body has more than ${mostValues} values.`)
  }
}

/** Returns the position of the quote that ends the string at `start`, or the end of the bytes. */
function stringEnd(body: Buffer, start: number): number {
  for (let at = start; ; ) {
    at = body.indexOf(quote, at + 1)
    if (at < 0) return body.length
    let escapes = 0
    while (body[at - 1 - escapes] === backslash) escapes++
    if (escapes % 2 === 0) return at
  }
}

/** Returns an object in another one. An absent one and null are an empty one. */
export function objectIn(parent: JsonObject, name: string): JsonObject {
  const value = parent[name]
  return isObject(value) ? value : {}
}

/** Returns a text in an object, or undefined if it has none. */
export function textIn(parent: JsonObject, name: string): string | undefined {
  const value = parent[name]
  return typeof value === 'string' ? value : undefined
}

/**
 * Returns a list in an object.
 * @throws MalformedRequest if it has none
 */
export function listIn(parent: JsonObject, name: string, pointer: string): readonly unknown[] {
  const value = parent[name]
  if (!Array.isArray(value)) throw new MalformedRequest(`${pointer} is not a list.`)
  return value
}
