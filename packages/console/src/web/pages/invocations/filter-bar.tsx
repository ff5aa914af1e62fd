import { useEffect, useState } from 'preact/hooks'
import { query, setQuery } from '../../address/address.ts'
import { api, ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { plainText } from '../../text/segments-of.ts'
import { filterNames } from './filters.ts'

/** The filters of the invocations. The address contains them. */
export function FilterBar() {
  const { value: overview } = useAnswer(signal => ask(api.get('/overview', { signal })), 'overview')
  const now = query.value
  const hasFilter = [...filterNames, 'since'].some(name => now.get(name))
  const choices: readonly (readonly [string, string, readonly string[]])[] = [
    ['function', 'Function', overview?.functions ?? []],
    ['source', 'Source', overview?.sources ?? []],
    ['family', 'Family', overview?.families ?? []],
    ['verdict', 'Verdict', ['not-ok', 'ok', 'none', ...(overview?.verdicts ?? [])]],
  ]
  return (
    <search>
      <form class="filters" aria-label="Filters" onSubmit={event => event.preventDefault()}>
        <TextFilter name="text" label="Text in event, payload or logs" isWide />
        {choices.map(([name, label, values]) => (
          <label class="field" key={name}>
            <span>{label}</span>
            <select
              value={now.get(name) ?? ''}
              onChange={event => setQuery({ [name]: event.currentTarget.value })}
            >
              <option value="">All</option>
              {[...new Set([...values, now.get(name) ?? ''])]
                .filter(value => value !== '')
                .map(value => (
                  <option key={value} value={value}>
                    {Object.hasOwn(words, value) ? words[value] : plainText(value)}
                  </option>
                ))}
            </select>
          </label>
        ))}
        <label class="field">
          <span>Time</span>
          <select
            value={now.get('since') ?? ''}
            onChange={event => setQuery({ since: event.currentTarget.value })}
          >
            <option value="">Any</option>
            <option value="5m">Last 5 minutes</option>
            <option value="1h">Last hour</option>
            <option value="1d">Last day</option>
            <option value="between">Between…</option>
          </select>
        </label>
        {now.get('since') === 'between' &&
          (['from', 'to'] as const).map(name => (
            <label class="field" key={name}>
              <span>{name === 'from' ? 'From' : 'To'}</span>
              <input
                type="datetime-local"
                step="1"
                value={now.get(name) ?? ''}
                onChange={event => setQuery({ [name]: event.currentTarget.value })}
              />
            </label>
          ))}
        <TextFilter name="requestId" label="Request id" />
        {hasFilter && (
          <button
            type="button"
            class="quiet"
            onClick={() =>
              setQuery(
                Object.fromEntries([...filterNames, 'since', 'from', 'to'].map(name => [name, undefined])),
              )
            }
          >
            Clear filters
          </button>
        )}
      </form>
    </search>
  )
}

const words: Readonly<Record<string, string>> = {
  'not-ok': 'Anything wrong',
  ok: 'All good',
  none: 'No verdict',
}

function TextFilter({
  name,
  label,
  isWide = false,
}: {
  readonly name: string
  readonly label: string
  readonly isWide?: boolean
}) {
  const inAddress = query.value.get(name) ?? ''
  const [text, setText] = useState(inAddress)
  useEffect(() => setText(inAddress), [inAddress])
  useEffect(() => {
    if (text === inAddress) return
    const timer = setTimeout(() => setQuery({ [name]: text }), 250)
    return () => clearTimeout(timer)
  }, [text, inAddress, name])
  return (
    <label class={isWide ? 'field wide' : 'field'}>
      <span>{label}</span>
      <input type="search" value={text} onInput={event => setText(event.currentTarget.value)} />
    </label>
  )
}
