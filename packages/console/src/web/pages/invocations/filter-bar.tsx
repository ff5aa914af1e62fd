import { useState } from 'preact/hooks'
import { query } from '../../address/address.ts'
import { api, ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { Option } from '../../parts/field.tsx'
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx'
import { filterNames } from './filters.ts'

const furtherNames = ['family', 'verdict', 'requestId']

/** The filters of the invocations: those that are used most in one line, and the others below it. Their values are in the address. */
export function FilterBar() {
  const { value: overview } = useAnswer(signal => ask(api.get('/overview', { signal })), 'overview')
  const now = query.value
  const [isOpen, setOpen] = useState(furtherNames.some(name => now.get(name)))
  const isBetween = now.get('since') === 'between'
  return (
    <Filters names={[...filterNames, 'since', 'from', 'to']} isOneLine>
      <TextFilter
        name="text"
        label="Text in event, payload or logs"
        placeholder="Text in event, payload or logs"
        isLabelUnseen
        isWide
      />
      <Choice name="function" label="Function" all="All functions" values={overview?.functions} />
      <Choice name="source" label="Source" all="All sources" values={overview?.sources} />
      <SelectFilter name="severity" label="Result" isLabelUnseen options={results} />
      <SelectFilter name="since" label="Time" isLabelUnseen options={times} />
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        More
      </button>
      {(isOpen || isBetween) && <span class="filters-break" />}
      {isBetween && (
        <>
          <TextFilter name="from" label="From" type="datetime-local" step="1" />
          <TextFilter name="to" label="To" type="datetime-local" step="1" />
        </>
      )}
      {isOpen && (
        <>
          <Choice name="family" label="Family" all="All families" values={overview?.families} />
          <Choice name="verdict" label="Verdict" all="All verdicts" values={overview?.verdicts} />
          <TextFilter name="requestId" label="Request id" placeholder="Request id" isLabelUnseen isWide />
        </>
      )}
    </Filters>
  )
}

/** A filter with the values that the platform knows, and the value in the address even if the platform does not know it. */
function Choice({
  name,
  label,
  all,
  values = [],
}: {
  readonly name: string
  readonly label: string
  readonly all: string
  readonly values: readonly string[] | undefined
}) {
  const known = new Set([...values, ...(name === 'verdict' ? ['none'] : []), query.value.get(name) ?? ''])
  known.delete('')
  const options = [...known].map((value): Option => [value, value === 'none' ? 'No verdict' : value])
  return <SelectFilter name={name} label={label} isLabelUnseen options={[['', all], ...options]} />
}

const results: readonly Option[] = [
  ['', 'All results'],
  ['wrong', 'Anything wrong'],
  ['error', 'Failed'],
  ['warning', 'With a warning'],
  ['ok', 'All good'],
  ['neutral', 'Denied, or without a verdict'],
]

const times: readonly Option[] = [
  ['', 'Any time'],
  ['5m', 'Last 5 minutes'],
  ['1h', 'Last hour'],
  ['1d', 'Last day'],
  ['between', 'Between…'],
]
