import type { ListedExecution } from '@signalbox/platform-invoke/console'
import { addressOf, query, segment } from '../../address/address.ts'
import { ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { executionApi } from './execution-api.ts'
import { StatusBadge, statuses } from './status-badge.tsx'

const mostRows = 100

/** The page of the newest executions of durable functions. */
export function ExecutionsPage() {
  const name = query.value.get('function') ?? ''
  const status = query.value.get('status') ?? ''
  const asked = {
    ...{ last: mostRows, ...(name !== '' && { function: name }) },
    ...(Object.hasOwn(statuses, status) && { status: status as ListedExecution['status'] }),
  }
  const { value, error, reload } = useAnswer(
    signal => ask(executionApi.get('/executions', { query: asked, signal })),
    JSON.stringify(asked),
    { every: 3000 },
  )
  return (
    <>
      <PageHead title="Executions">
        What durable functions do: their steps, what they wait for, and how they ended.
      </PageHead>
      <Filters names={['function', 'status']} isOneLine>
        <TextFilter name="function" label="Function" />
        <SelectFilter
          name="status"
          label="Status"
          options={[
            ['', 'any'],
            ...Object.entries(statuses).map(([each, [, text]]) => [each, text] as const),
          ]}
        />
      </Filters>
      {error && <ProblemNote text={error} retry={reload} />}
      {value?.length === 0 && (
        <Empty title={name === '' && status === '' ? 'No execution has started' : 'No execution matches'}>
          <p>An event that a durable function gets starts an execution.</p>
        </Empty>
      )}
      {value !== undefined && value.length > 0 && (
        <Table label="Executions" columns={columns} rows={value} keyOf={each => each.id} />
      )}
      {value?.length === mostRows && (
        <p class="faint">These are the newest {mostRows}. Filters find others.</p>
      )}
    </>
  )
}

const columns: readonly Column<ListedExecution>[] = [
  {
    name: 'Execution',
    isName: true,
    cell: each => (
      <>
        <a href={addressOf(`/executions/${segment(each.id)}`)}>
          <Text of={each.name} most={64} />
        </a>
        <div class="faint small">
          <Text of={each.functionName} most={64} />
        </div>
      </>
    ),
  },
  { name: 'Status', cell: each => <StatusBadge of={each.status} /> },
  { name: 'Started', cell: each => <Time at={each.startedAt} /> },
  {
    name: 'Took',
    isNumber: true,
    isExtra: true,
    cell: each => (each.endedAt === undefined ? '–' : durationInWords(each.endedAt - each.startedAt)),
  },
]
