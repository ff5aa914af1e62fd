import { guardCode } from '../guard/generate.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { tableWriter, UnwritableError } from './write-table.ts'

/** The values that the code of guards refers to by name, such as the conditions that a module exports. */
export type Names = ReadonlyMap<unknown, string>

/** The codecs to print, by the names of their constants. */
export interface Printed {
  readonly codecs: Readonly<Record<string, Codec>>
  /** Codecs of which only the guards are needed. */
  readonly guards?: Readonly<Record<string, Codec>>
}

/**
 * Returns the code of precompiled codecs: guards, one table, and a constant for each codec. The code refers only to the
 * values in `names` and to `isObject` and `readyCodec` of `@signalbox/codec/ready`.
 *
 * @throws UnwritableError for a codec that does more than check, and for a condition without a name
 */
export function printReady({ codecs, guards = {} }: Printed, names: Names): string {
  const table = tableWriter()
  const roots = Object.values(codecs).map(table.add)
  const code = guardCode([...Object.values(codecs), ...Object.values(guards)], 'short')
  const guardsOfCodecs = code.guards.slice(0, roots.length)
  const otherGuards = code.guards.slice(roots.length)
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
  const constants = code.constants.flatMap((value, i) =>
    code.functions.some(text => text.includes(`c${i}`)) ? [`const c${i} = ${nameOf(value)}\n`] : [],
  )
  const text = quoted(JSON.stringify(table.nodes))
  return [
    ...constants,
    ...code.functions,
    ...(roots.length > 0
      ? [`const table = { text: ${text}, conditions: [${table.conditions.map(nameOf)}] }\n`]
      : []),
    ...Object.entries(codecs).map(([name, codec], i) => {
      const args = [JSON.stringify(codec.name), guardsOfCodecs[i], 'table', roots[i]]
      return `export const ${name} = /* @__PURE__ */ readyCodec(${args.join(', ')})\n`
    }),
    ...Object.keys(guards).map((name, i) => `export const ${name} = ${otherGuards[i]}\n`),
  ].join('')
}

/** Returns a text in the quotes that need the fewest escapes. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replace(/[\n\r\u2028\u2029]/g, character => JSON.stringify(character).slice(1, -1))}'`
}
