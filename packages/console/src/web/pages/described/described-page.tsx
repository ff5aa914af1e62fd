import type { ConsolePage } from '@signalbox/platform-runtime/console'
import { anyRoute, ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { ActionButton } from '../../parts/action-button.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead, Section } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { durationInWords } from '../../time/words-of-time.ts'

type Contents = NonNullable<ConsolePage['contents']>
type TableOfRows = Contents['tables'][number]
type RowAction = NonNullable<TableOfRows['actions']>[number]

interface Row {
  readonly [field: string]: unknown
}

/** A page that a source describes. */
export function DescribedPage({
  title,
  contents: { about, tables },
}: {
  readonly title: string
  readonly contents: Contents
}) {
  return (
    <>
      <PageHead title={<Text of={title} />}>
        <Text of={about} />
      </PageHead>
      {tables.map(table => (
        <Rows key={table.title} table={table} />
      ))}
    </>
  )
}

function Rows({ table }: { readonly table: TableOfRows }) {
  const { value, error, reload } = useAnswer(
    async signal => (await ask(anyRoute('GET', table.rows, { signal }))) as readonly Row[],
    table.rows,
    { every: 5000 },
  )
  const columns = table.columns.map(column => columnOf(column))
  const { actions = [] } = table
  if (actions.length > 0)
    columns.push({
      name: 'Actions',
      cell: row => (
        <div class="actions">
          {actions.map(action => (
            <Act key={action.title} action={action} row={row} onDone={reload} />
          ))}
        </div>
      ),
    })
  return (
    <Section title={<Text of={table.title} />}>
      {error && <ProblemNote text={error} retry={reload} />}
      {value?.length === 0 && (
        <Empty title="Nothing here">
          <p>
            <Text of={table.empty} />
          </p>
        </Empty>
      )}
      {value !== undefined && value.length > 0 && (
        <Table
          label={`List: ${table.title}`}
          columns={columns}
          rows={value}
          keyOf={row => String(row[table.key])}
        />
      )}
    </Section>
  )
}

function columnOf({ title, field, as }: TableOfRows['columns'][number]): Column<Row> {
  const cell = (row: Row) => {
    const value = row[field]
    if (value === undefined || value === null) return <span class="faint">–</span>
    if (typeof value === 'number') {
      if (as === 'time') return <Time at={value} />
      return as === 'duration' ? durationInWords(value) : value.toLocaleString('en')
    }
    return <Text of={Array.isArray(value) ? value.join(', ') : String(value)} most={120} />
  }
  return { name: title, cell }
}

function Act({
  action: { title, method, path, question },
  row,
  onDone,
}: {
  readonly action: RowAction
  readonly row: Row
  readonly onDone: () => void
}) {
  const params = Object.fromEntries(
    [...path.matchAll(/\{(\w+)\}/g)].map(([, field = '']) => [field, String(row[field])]),
  )
  return (
    <ActionButton
      label={title}
      isDangerous={question !== undefined}
      {...(question !== undefined && { question: { title, confirm: title, text: question } })}
      work={async () => {
        await ask(anyRoute(method, path, { params, ...(method === 'POST' && { body: {} }) }))
        onDone()
      }}
    />
  )
}
