import type { AccessLogEntry } from '../../../api/access-log.ts'
import { query, setQuery } from '../../address/address.ts'
import { api, ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'

const filterNames = ['identity', 'source', 'text', 'result'] as const
const pageSize = 100
const mostListed = 1000

/** The page of the access log, which shows who did what to which resource. The address contains the filters. */
export function AccessLogPage() {
  const parts = useAnswer(signal => ask(api.get('/parts', { signal })), 'parts')
  const filters = Object.fromEntries(
    [...filterNames, 'last'].flatMap(name => {
      const value = query.value.get(name)
      return value ? [[name, value]] : []
    }),
  )
  const last = Number(filters.last) || pageSize
  const log = useAnswer(
    signal => ask(api.get('/access-log', { query: { ...filters, last } as object, signal })),
    JSON.stringify(filters),
    { every: 5000 },
  )
  const hasFilter = filterNames.some(name => filters[name])
  return (
    <>
      <PageHead title="Access log">Who did what to which resource, and what was refused.</PageHead>
      <Filters names={filterNames}>
        <TextFilter name="text" label="Operation, resource or address" isWide />
        <TextFilter name="identity" label="Identity" />
        <SelectFilter name="source" label="Listener" options={[['', 'All'], ...sources]} />
        <SelectFilter
          name="result"
          label="Result"
          options={[
            ['', 'All'],
            ['refused', 'Refused'],
          ]}
        />
      </Filters>
      {log.error && <ProblemNote text={log.error} retry={log.reload} />}
      {log.value?.length === 0 &&
        (parts.value?.access?.isUsed === false ? (
          <Empty title="The platform does not ask who its clients are">
            <p>
              Name identities and their rights under <code>access</code> in your configuration file. Then
              every client needs a key, and this page shows what each of them does.
            </p>
          </Empty>
        ) : (
          <Empty title={hasFilter ? 'No entry matches' : 'No client did anything yet'} />
        ))}
      {log.value !== undefined && log.value.length > 0 && (
        <Table label="Access log" columns={columns} rows={log.value} keyOf={each => each.id} />
      )}
      {log.value?.length === last && last < mostListed && (
        <div>
          <button type="button" onClick={() => setQuery({ last: String(Math.min(mostListed, 2 * last)) })}>
            Show more
          </button>
        </div>
      )}
    </>
  )
}

/** The names of the listeners that authenticate their clients. */
const sources = ['queues', 'userPools', 'mail', 'functions', 'control', 'console']

const columns: readonly Column<AccessLogEntry>[] = [
  {
    name: 'Identity',
    cell: ({ identity, address }) => (
      <>
        {identity === undefined ? <span class="faint">unknown</span> : <Text of={identity} most={80} />}
        <div class="faint small">
          <Text of={address} most={60} />
        </div>
      </>
    ),
  },
  {
    name: 'Operation',
    cell: ({ operation, resource, source, count, result, last }) => (
      <>
        <Text of={operation || '–'} most={80} /> {resource !== undefined && <Text of={resource} most={120} />}
        <div class="faint small">
          <Text of={source} most={40} />
          {count > 1 && `, ${count.toLocaleString('en')} times`}
        </div>
        {/* Narrow screens have no room for the result and time columns. */}
        <div class="narrow">
          <ResultBadge result={result} />{' '}
          <span class="faint nowrap">
            <Time at={last} />
          </span>
        </div>
      </>
    ),
    isName: true,
  },
  {
    name: 'Result',
    cell: ({ result }) => <ResultBadge result={result} />,
    isExtra: true,
  },
  { name: 'Last', cell: ({ last }) => <Time at={last} />, isNumber: true, isExtra: true },
]

function ResultBadge({ result }: Pick<AccessLogEntry, 'result'>) {
  return (
    <Badge tone={result === 'allowed' ? 'good' : 'bad'}>
      <Text of={result} most={60} />
    </Badge>
  )
}
