import { exactGuards } from '../guard/exact-guards.ts'
import { shortGuards } from '../guard/short-guards.ts'
import type { Codec } from '../io-ts/codec-structure.ts'
import { tableWriter, UnwritableError } from './write-table.ts'

/** The names of the values to which generated guards refer, such as the conditions that a module exports. */
export type Names = ReadonlyMap<unknown, string>

/** The codecs to print, with the names of their constants as keys. */
export interface Printed {
  readonly codecs: Readonly<Record<string, Codec>>
  /** Codecs for which only a guard is printed. */
  readonly guards?: Readonly<Record<string, Codec>>
  /** Objects whose values become guards. */
  readonly maps?: Readonly<Record<string, Readonly<Record<string, Codec>>>>
  /** Objects whose values become exact guards. */
  readonly exactMaps?: Readonly<Record<string, Readonly<Record<string, Codec>>>>
}

/**
 * Returns the code of precompiled codecs: guards, one table, and a constant for each codec. The code refers only to the
 * values in `names` and to `isObject`, `isPlainObject` and `readyCodec` of `@signalbox/codec/ready`.
 *
 * @throws UnwritableError for a codec that does more than check, and for a condition without a name
 */
export function printReady(
  { codecs, guards = {}, maps = {}, exactMaps = {} }: Printed,
  names: Names,
): string {
  const table = tableWriter()
  const roots = Object.values(codecs).map(table.add)
  const exact = Object.values(exactMaps).flatMap(map => Object.values(map))
  const others = [...Object.values(guards), ...Object.values(maps).flatMap(map => Object.values(map))]
  // The table does not contain codecs that need only a guard. This call throws for a codec that no table can describe.
  const check = tableWriter()
  for (const codec of [...others, ...exact]) check.add(codec)
  const nameOf = (condition: unknown): string => {
    const name = names.get(condition)
    if (name !== undefined) return name
    throw new UnwritableError(
      `The condition ${(condition as { readonly name: string }).name || 'of a codec'} cannot be compiled: it has no name in this module`,
    )
  }
  const code = shortGuards([...Object.values(codecs), ...others], nameOf)
  const exactCode = exactGuards(exact, nameOf)
  const guardsOf = [...code.guards, ...exactCode.guards].values()
  const next = () => guardsOf.next().value!
  const text = quoted(JSON.stringify(table.nodes))
  return [
    ...code.sets.map((set, i) => `const c${i} = new Set(${JSON.stringify([...set])})\n`),
    ...code.functions,
    ...exactCode.functions,
    ...(roots.length > 0
      ? [`const table = { text: ${text}, conditions: [${table.conditions.map(nameOf)}] }\n`]
      : []),
    ...Object.entries(codecs).map(([name, codec], i) => {
      const args = [JSON.stringify(codec.name), next(), 'table', roots[i]]
      return `export const ${name} = /* @__PURE__ */ readyCodec(${args.join(', ')})\n`
    }),
    ...Object.keys(guards).map(name => `export { ${next()} as ${name} }\n`),
    ...[...Object.entries(maps), ...Object.entries(exactMaps)].map(([name, map]) => {
      const entries = Object.keys(map).map(key => `${JSON.stringify(key)}: ${next()}`)
      return `export const ${name} = { ${entries.join(', ')} }\n`
    }),
  ].join('')
}

/** Returns a string as a single-quoted literal. Most of these strings contain JSON, which has double quotes. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&').replace(/[\n\r\u2028\u2029]/g, character => JSON.stringify(character).slice(1, -1))}'`
}
