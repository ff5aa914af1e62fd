import { generator } from '../guard/generate.ts'
import type { Codec } from '../io-ts/codec-of.ts'
import { UnwritableError, writeTable } from './write-table.ts'

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
 * values in `names`, to the functions in `called`, and to `readyCodec` of `@signalbox/codec/ready`.
 *
 * @throws UnwritableError for a codec that does more than check, and for a condition without a name
 */
export function printReady(
  { codecs, guards = {}, maps = {}, exactMaps = {} }: Printed,
  names: Names,
): string {
  const sets: string[] = []
  const nameOf = (value: unknown): string => {
    if (value instanceof Set)
      return `c${sets.push(`const c${sets.length} = new Set(${JSON.stringify([...value])})\n`) - 1}`
    const name = names.get(value)
    if (name !== undefined) return name
    throw new UnwritableError(
      `The condition ${(value as { readonly name: string }).name || 'of a codec'} cannot be compiled: it has no name in this module`,
    )
  }
  const { functions, guardsOf } = generator(nameOf)
  const { table, roots } = writeTable(Object.values(codecs))
  // The table does not contain codecs that need only a guard.
  const others = writeTable([...Object.values(guards), ...Object.values(maps).flatMap(Object.values<Codec>)])
  const exact = writeTable(Object.values(exactMaps).flatMap(Object.values<Codec>))
  const guardNames = [
    ...guardsOf({ table, root: 0 }, roots),
    ...guardsOf({ table: others.table, root: 0 }, others.roots),
    ...guardsOf({ table: exact.table, root: 0 }, exact.roots, true),
  ].values()
  const next = () => guardNames.next().value!
  const conditions = table.conditions.map(nameOf)
  return [
    ...sets,
    ...functions,
    ...(roots.length > 0
      ? [`const table = { text: ${quoted(JSON.stringify(table.nodes))}, conditions: [${conditions}] }\n`]
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
