import type { FunctionState } from '../../../api/functions.ts'
import { addressOf, query, segment } from '../../address/address.ts'
import { api, ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { numbers } from '../../live/live.ts'
import { Command, Empty } from '../../parts/empty.tsx'
import type { Option } from '../../parts/field.tsx'
import { SelectFilter } from '../../parts/filters.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead } from '../../parts/section.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Text } from '../../text/text.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { spans } from '../invocations/filters.ts'

/** The page of all functions, with their statistics for a period. */
export function FunctionsPage() {
  const span = query.value.get('since') ?? '1h'
  const { value, error, reload } = useAnswer(
    signal => ask(api.get('/functions', { query: spanQuery(span), signal })),
    span,
    { every: 5000 },
  )
  return (
    <>
      <PageHead title="Functions" tools={<SpanChoice />}>
        What runs your code: instances, calls, failures and durations.
      </PageHead>
      {error && <ProblemNote text={error} retry={reload} />}
      {value?.length === 0 && (
        <Empty title="The configuration has no function">
          <p>
            Add one to <code>functions</code> in your configuration file, or let a starter do it:
          </p>
          <Command>signalbox init</Command>
        </Empty>
      )}
      {value !== undefined && value.length > 0 && (
        <Table label="Functions" columns={columns} rows={value} keyOf={each => each.name} />
      )}
    </>
  )
}

const columns: readonly Column<FunctionState>[] = [
  {
    name: 'Function',
    cell: each => (
      <>
        <a href={addressOf(`/functions/${segment(each.name)}`)}>
          <Text of={each.name} most={60} />
        </a>
        <div class="faint small">
          {durationInWords(each.timeout)}, {each.memory} MB
        </div>
      </>
    ),
  },
  {
    name: 'Instances',
    cell: each => `${numbers.value?.instances[each.name] ?? each.instances} of ${each.most}`,
    isNumber: true,
    isExtra: true,
  },
  { name: 'Calls', cell: each => each.calls.toLocaleString('en'), isNumber: true },
  {
    name: 'Failed',
    cell: each =>
      each.errors === 0 ? (
        '0'
      ) : (
        <a class="bad" href={addressOf('/invocations', { function: each.name, severity: 'error' })}>
          {each.errors.toLocaleString('en')}
        </a>
      ),
    isNumber: true,
  },
  { name: 'Median', cell: each => duration(each.p50), isNumber: true },
  { name: '90 %', cell: each => duration(each.p90), isNumber: true, isExtra: true },
  { name: '99 %', cell: each => duration(each.p99), isNumber: true, isExtra: true },
  { name: 'Cold starts', cell: each => each.coldStarts, isNumber: true, isExtra: true },
]

function duration(value: number | undefined): string {
  return value === undefined ? '–' : durationInWords(value)
}

/** Converts the name of a period to query parameters of the API. */
export function spanQuery(span: string): { readonly from: number } {
  return { from: Date.now() - (Object.hasOwn(spans, span) ? (spans[span] ?? 0) : 3600_000) }
}

/** A control that selects a period and writes it into the address. */
export function SpanChoice() {
  return <SelectFilter name="since" label="Time" options={choices} initial="1h" />
}

const choices: readonly Option[] = [
  ['5m', 'Last 5 minutes'],
  ['1h', 'Last hour'],
  ['1d', 'Last day'],
]
