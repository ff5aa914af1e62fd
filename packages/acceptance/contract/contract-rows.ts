import { readFileSync } from 'node:fs'

/** The families that have a page in `docs/contract`. */
export const contractPages = ['user-pool', 'queue', 'mail-flow', 'load-balancer'] as const
export type ContractPage = (typeof contractPages)[number]

/** One table row of a contract page. */
export interface ContractRow {
  /** The anchor of the row, such as `record.messageId`. */
  readonly id: string
  /** The remaining cells, by column heading. */
  readonly cells: { readonly [column: string]: string }
}

/**
 * Reads every table row of a page of `docs/contract`, in the page's order.
 * @throws Error for a table row without an anchor, and for a repeated anchor
 */
export function contractRows(page: ContractPage): readonly ContractRow[] {
  const text = readFileSync(new URL(`../../../docs/contract/${page}.md`, import.meta.url), 'utf8')
  const rows: ContractRow[] = []
  let columns: readonly string[] = []
  for (const line of text.split('\n')) {
    if (!line.startsWith('|')) {
      columns = []
      continue
    }
    const cells = line
      .slice(1, -1)
      .split('|')
      .map(cell => cell.trim())
    if (columns.length === 0) columns = cells
    else if (!/^-+$/.test(cells[0]!)) rows.push(rowOf(page, columns, cells))
  }
  const ids = rows.map(({ id }) => id)
  const twice = ids.find((id, position) => ids.indexOf(id) !== position)
  if (twice !== undefined) throw new Error(`docs/contract/${page}.md has two rows with the anchor ${twice}.`)
  return rows
}

function rowOf(page: ContractPage, columns: readonly string[], cells: readonly string[]): ContractRow {
  const id = /^<a id="([^"]+)"><\/a>/.exec(cells[0]!)?.[1]
  if (id === undefined) throw new Error(`docs/contract/${page}.md has a row without an anchor: ${cells[0]}`)
  return { id, cells: Object.fromEntries(columns.map((column, position) => [column, cells[position]!])) }
}
