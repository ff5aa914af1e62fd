import type { FunctionState } from '../../../api/functions.ts'
import { addressOf, go, query } from '../../address/address.ts'
import { api, ask } from '../../api/api.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { numbers } from '../../live/live.ts'
import { Figure } from '../../parts/figure.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead, Section } from '../../parts/section.tsx'
import { Plot } from '../../plot/plot.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { List } from '../invocations/invocations-page.tsx'
import { SpanChoice, spanQuery } from './functions-page.tsx'

const steps = 60

/** The page of one function, with its statistics over time. */
export function FunctionPage({ name }: { readonly name: string }) {
  const span = query.value.get('since') ?? '1h'
  const every = 5000
  const functions = useAnswer(
    signal => ask(api.get('/functions', { query: spanQuery(span), signal })),
    span,
    { every },
  )
  const series = useAnswer(
    signal =>
      ask(
        api.get('/functions/{name}/series', {
          params: { name },
          query: { ...spanQuery(span), steps },
          signal,
        }),
      ),
    `${name} ${span}`,
    { every },
  )
  const wrong = useAnswer(
    signal =>
      ask(
        api.get('/invocations', {
          query: { function: [name], severity: ['error', 'warning'], last: 10 },
          signal,
        }),
      ),
    name,
    { every },
  )
  const state = functions.value?.find(each => each.name === name)
  const error = series.error ?? functions.error
  const points = series.value?.points ?? []
  const times = points.map(({ at }) => at)
  const reloads = points.filter(({ generation }, index) => {
    const before = points.slice(0, index).findLast(each => each.generation !== undefined)?.generation
    return generation !== undefined && before !== undefined && generation !== before
  })
  return (
    <>
      <PageHead
        title={<Text of={name} />}
        tools={
          <>
            <SpanChoice />
            <button type="button" onClick={() => go(addressOf('/try/event', { function: name }))}>
              Try it
            </button>
          </>
        }
      >
        <a href={addressOf('/functions')}>Functions</a> › one function
      </PageHead>
      {error && <ProblemNote text={error} retry={series.reload} />}
      {functions.value !== undefined && state === undefined && (
        <ProblemNote text="The configuration has no function of this name." />
      )}
      {state && (
        <dl class="figures card">
          <Figure name="Instances">
            {numbers.value?.instances[name] ?? state.instances} of {state.most}
          </Figure>
          <Figure name="Calls" isBad={state.errors > 0}>
            {callsInWords(state)}
          </Figure>
          {state.warnings > 0 && <Figure name="Warnings">{state.warnings.toLocaleString('en')}</Figure>}
          <Figure name="Median duration">{state.p50 === undefined ? '–' : durationInWords(state.p50)}</Figure>
          <Figure name="Cold starts">{state.coldStarts}</Figure>
          <Figure name="Reloads">{state.reloads}</Figure>
          <Figure name="Time limit">{durationInWords(state.timeout)}</Figure>
          <Figure name="Memory">{state.memory} MB</Figure>
        </dl>
      )}
      {series.value !== undefined && (
        <div class="columns">
          <Plot
            title="Calls"
            times={times}
            lines={[
              { name: 'calls', values: points.map(({ calls }) => calls) },
              { name: 'with a warning', values: points.map(({ warnings }) => warnings) },
              { name: 'failed', values: points.map(({ errors }) => errors) },
            ]}
            format={value => value.toLocaleString('en')}
          />
          <Plot
            title="Duration"
            times={times}
            lines={[
              { name: 'median', values: points.map(({ p50 }) => p50 ?? Number.NaN) },
              { name: '90 %', values: points.map(({ p90 }) => p90 ?? Number.NaN) },
              { name: '99 %', values: points.map(({ p99 }) => p99 ?? Number.NaN) },
            ]}
            format={durationInWords}
          />
        </div>
      )}
      {reloads.length > 0 && (
        <p class="faint">
          New code:{' '}
          {reloads.map(({ at, generation }, index) => (
            <span key={at}>
              {index > 0 && ', '}
              generation {generation} came <Time at={at} />
            </span>
          ))}
        </p>
      )}
      <Section
        title="What went wrong last"
        tools={<a href={addressOf('/invocations', { function: name })}>All its invocations</a>}
      >
        {wrong.value === undefined ? null : wrong.value.invocations.length === 0 ? (
          <p class="faint">Nothing in the log.</p>
        ) : (
          <List invocations={wrong.value.invocations} />
        )}
      </Section>
    </>
  )
}

function callsInWords({ calls, errors }: FunctionState): string {
  const all = calls.toLocaleString('en')
  return errors === 0 ? all : `${errors.toLocaleString('en')} of ${all} failed`
}
