import { machine, versions } from './machine.ts'
import { tablePage } from './markdown.ts'
import type { Results, Table } from './results.ts'
import { writePart } from './write-part.ts'

/** A part of the results whose tables are measured one after the other. */
export interface MeasuredPart {
  readonly part: keyof Results
  /** The command that repeats the measurement. */
  readonly command: string
  /** The packages whose versions the results name. */
  readonly packages: readonly string[]
  readonly tables: { readonly [name: string]: () => Promise<Table> }
}

/**
 * Measures the tables that the arguments of this process name, and prints them. Without arguments it measures all of
 * them, and writes them into the results.
 */
export async function measureTables({ part, command, packages, tables }: MeasuredPart): Promise<void> {
  const asked = process.argv.slice(2)
  const unknown = asked.find(name => !Object.hasOwn(tables, name))
  if (unknown !== undefined) {
    console.error(`There is no table called ${unknown}; there are ${Object.keys(tables).join(', ')}.`)
    process.exitCode = 2
    return
  }
  const measured: Table[] = []
  for (const name of asked.length === 0 ? Object.keys(tables) : asked) {
    process.stderr.write(`${name}…\n`)
    const table = await tables[name]!()
    measured.push(table)
    console.log(tablePage(table))
  }
  if (asked.length > 0) return
  writePart(part, {
    date: new Date().toISOString().slice(0, 10),
    command,
    machine: machine(),
    versions: versions(packages),
    tables: measured,
  })
}
