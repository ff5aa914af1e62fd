import type { ComponentChildren } from 'preact'

/** A column of a table. */
export interface Column<Row> {
  readonly name: string
  readonly cell: (row: Row) => ComponentChildren
  /** Whether the cells contain numbers, which are aligned at the end. */
  readonly isNumber?: boolean
  /** Whether the column shows names. If there is room, the column is at least as wide as a typical name. */
  readonly isName?: boolean
  /** Whether the column is hidden on narrow screens. */
  readonly isExtra?: boolean
}

/** A table whose first column is the header of each row. */
export function Table<Row>({
  label,
  columns,
  rows,
  keyOf,
}: {
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
}) {
  const classOf = ({ isNumber, isName, isExtra }: Column<Row>) =>
    [isNumber && 'number', isName && 'name', isExtra && 'extra'].filter(Boolean).join(' ') || undefined
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section class="table" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(column => (
              <th scope="col" class={classOf(column)} key={column.name}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(row => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th scope="row" class={classOf(column)} key={column.name}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td class={classOf(column)} key={column.name}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
