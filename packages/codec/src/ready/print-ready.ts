import { guardCode } from '../guard/generate.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { tableWriter, UnwritableError } from './write-table.ts'

/** What the code of guards refers to by name, such as the conditions that a module exports. */
export type Names = ReadonlyMap<unknown, string>

/**
 * The code of codecs that are ready: guards, one table, and a constant for each codec. It imports nothing but what `names`
 * names and `isObject` and `readyCodec` of `@signalbox/codec/ready`.
 *
 * @param codecs the codecs by the names of their constants
 * @throws UnwritableError for a codec that does more than check, and for a condition without a name
 */
export function printReady(codecs: Readonly<Record<string, Codec>>, names: Names): string {
  const table = tableWriter()
  const roots = Object.values(codecs).map(table.add)
  const { constants, functions, guards } = guardCode(Object.values(codecs), 'short')
  const nameOf = (value: unknown): string => {
    const name = names.get(value)
    if (name !== undefined) return name
    if (value instanceof Set) return `new Set(${JSON.stringify([...value])})`
    if (value === Object.prototype.hasOwnProperty) return 'Object.prototype.hasOwnProperty'
    if (typeof value !== 'function') return JSON.stringify(value)
    throw new UnwritableError(
      `The condition ${value.name || 'of a codec'} cannot be compiled: it has no name in this module`,
    )
  }
  return [
    ...constants.flatMap((value, i) =>
      functions.some(code => code.includes(`c${i}`)) ? [`const c${i} = ${nameOf(value)}\n`] : [],
    ),
    ...functions,
    `const table = { text: ${quoted(JSON.stringify(table.nodes))}, conditions: [${table.conditions.map(nameOf)}] }\n`,
    ...Object.entries(codecs).map(
      ([name, codec], i) =>
        `export const ${name} = /* @__PURE__ */ readyCodec(${JSON.stringify(codec.name)}, ${guards[i]}, table, ${roots[i]})\n`,
    ),
  ].join('')
}

/** A text in the quotes that need the fewest escapes. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replace(/[\n\r\u2028\u2029]/g, character => JSON.stringify(character).slice(1, -1))}'`
}
