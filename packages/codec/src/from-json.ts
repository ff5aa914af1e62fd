import * as t from 'io-ts'
import { brokenAt } from './broken-at.ts'
import { compile } from './compile.ts'
import { parseJson } from './parse-json.ts'
import { jsonTag } from './structure.ts'
import { transforms } from './transforms.ts'

/**
 * A codec from JSON text to what `codec` accepts, for bodies and other texts inside of events. Its guard is that
 * of `codec`, which is about what has been read. Fields named `__proto__` are left out.
 *
 * Text that is not JSON is refused with the position where it breaks, and never quoted.
 */
export function fromJson<A>(codec: t.Type<A, unknown, unknown>): t.Type<A, string, unknown> {
  const json = new t.Type<A, string, unknown>(
    `FromJson<${codec.name}>`,
    codec.is,
    (text, context) => {
      if (typeof text !== 'string') return t.failure(text, context, 'expected JSON text')
      try {
        const value = parseJson(text)
        return !transforms(codec) && compile(codec)(value) ? t.success(value) : codec.validate(value, context)
      } catch (error) {
        const why =
          error instanceof SyntaxError ? `it breaks at position ${brokenAt(text)}` : 'it cannot be checked'
        return t.failure(text, context, `expected JSON text, but ${why}`)
      }
    },
    value => JSON.stringify(codec.encode(value)),
  )
  return Object.assign(json, { _tag: jsonTag, type: codec })
}
