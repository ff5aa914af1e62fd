import { query } from '../../address/address.ts'
import { api, ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import type { Option } from '../../parts/field.tsx'
import { Filters, SelectFilter, TextFilter } from '../../parts/filters.tsx'
import { filterNames } from './filters.ts'

/** The filters of the invocations. Their values are in the address. */
export function FilterBar() {
  const { value: overview } = useAnswer(signal => ask(api.get('/overview', { signal })), 'overview')
  const choices: readonly (readonly [string, string, readonly string[]])[] = [
    ['function', 'Function', overview?.functions ?? []],
    ['source', 'Source', overview?.sources ?? []],
    ['family', 'Family', overview?.families ?? []],
    ['verdict', 'Verdict', ['not-ok', 'ok', 'none', ...(overview?.verdicts ?? [])]],
  ]
  return (
    <Filters names={[...filterNames, 'since', 'from', 'to']}>
      <TextFilter name="text" label="Text in event, payload or logs" isWide />
      {choices.map(([name, label, values]) => (
        <SelectFilter key={name} name={name} label={label} options={optionsOf(name, values)} />
      ))}
      <SelectFilter name="since" label="Time" options={times} />
      {query.value.get('since') === 'between' && (
        <>
          <TextFilter name="from" label="From" type="datetime-local" step="1" />
          <TextFilter name="to" label="To" type="datetime-local" step="1" />
        </>
      )}
      <TextFilter name="requestId" label="Request id" />
    </Filters>
  )
}

/** Returns the options of a filter. They include the value in the address, even if `values` does not contain it. */
function optionsOf(name: string, values: readonly string[]): readonly Option[] {
  const all = new Set([...values, query.value.get(name) ?? ''])
  all.delete('')
  return [
    ['', 'All'],
    ...[...all].map(
      value => [value, (Object.hasOwn(words, value) ? words[value] : undefined) ?? value] as const,
    ),
  ]
}

const words: Readonly<Record<string, string>> = {
  'not-ok': 'Anything wrong',
  ok: 'All good',
  none: 'No verdict',
}

const times: readonly Option[] = [
  ['', 'Any'],
  ['5m', 'Last 5 minutes'],
  ['1h', 'Last hour'],
  ['1d', 'Last day'],
  ['between', 'Between…'],
]
