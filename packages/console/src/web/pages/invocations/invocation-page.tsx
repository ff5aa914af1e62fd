import { useEffect, useState } from 'preact/hooks'
import type { InvocationDetails } from '../../../api/invocations.ts'
import { addressOf, go, segment } from '../../address/address.ts'
import { api, ask } from '../../api/api.ts'
import { useAction, useAnswer } from '../../api/use-answer.ts'
import { JsonView } from '../../json/json-view.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Figure } from '../../parts/figure.tsx'
import { ProblemNote } from '../../parts/problem-note.tsx'
import { PageHead, Section } from '../../parts/section.tsx'
import { sources } from '../../sources/all.ts'
import { plainText } from '../../text/segments-of.ts'
import { LongText, Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { commandFor, testFor } from './copies-of.ts'
import { InvocationChain } from './invocation-chain.tsx'
import { failureInWords, resultText, toneOf, VerdictBadge } from './verdict-badge.tsx'

/** The page of one invocation: its source, its event, its answer, and related invocations. */
export function InvocationPage({ id }: { readonly id: string }) {
  const [isWaiting, setWaiting] = useState(false)
  const { value, error, reload } = useAnswer(
    signal => ask(api.get('/invocations/{id}', { params: { id }, signal })),
    id,
    isWaiting ? { every: 2000 } : {},
  )
  useEffect(
    () => setWaiting(value !== undefined && sources.some(({ story }) => story?.isWaiting(value))),
    [value],
  )
  if (error !== undefined)
    return (
      <>
        <PageHead title={`Invocation #${plainText(id)}`} />
        <ProblemNote text={error} retry={reload} />
        <p>
          The log keeps invocations until they are too old or too many.{' '}
          <a href={addressOf('/invocations')}>All invocations</a>
        </p>
      </>
    )
  if (value === undefined) return <PageHead title={`Invocation #${plainText(id)}`}>Loading</PageHead>
  return <Story details={value} onChange={reload} />
}

function Story({
  details,
  onChange,
}: {
  readonly details: InvocationDetails
  readonly onChange: () => void
}) {
  const { invocation, event, payload, logs, eventProblems, payloadProblems } = details
  const { id, functionName, source, verdict, failure } = invocation
  const again = useAction(async () => {
    const result = await ask(api.post('/invocations', { body: { again: id } }))
    if (result.id === undefined) onChange()
    else go(addressOf(`/invocations/${result.id}`))
  })
  const { summary, masked } = invocation
  const copy = { functionName, summary, event, verdict, logs, masked }
  return (
    <>
      <PageHead
        title={<Text of={invocation.summary} most={200} />}
        tools={
          <>
            <button
              type="button"
              class="main"
              disabled={again.isBusy || details.isEventOmitted}
              onClick={again.start}
            >
              {again.isBusy ? 'Invoking' : 'Invoke again'}
            </button>
            <button type="button" onClick={() => go(addressOf('/try/event', { again: String(id) }))}>
              Edit and invoke
            </button>
            <CopyButton label="Copy as command" text={() => commandFor(copy)} />
            <CopyButton label="Copy as test" text={() => testFor(copy)} />
          </>
        }
      >
        <a href={addressOf('/invocations')}>Invocations</a> › #{id} from <Text of={source} />
      </PageHead>
      {again.error && <ProblemNote text={again.error} />}
      <div class={`verdict card ${toneOf(invocation)}`}>
        <div class="actions">
          <VerdictBadge of={invocation} />
          <strong>
            {failure !== undefined ? (
              <>
                The function <Text of={failureInWords(failure.kind)} />
              </>
            ) : verdict === undefined ? (
              'The platform concluded nothing'
            ) : verdict.kind === 'partial' ? (
              'Some messages failed'
            ) : verdict.ok ? (
              'The platform accepts the result'
            ) : (
              'The platform does not accept the result'
            )}
          </strong>
        </div>
        {resultText(invocation) !== '' && <LongTextOrLine text={resultText(invocation)} />}
        <dl class="facts">
          <Figure name="Function">
            <a href={addressOf(`/functions/${segment(functionName)}`)}>
              <Text of={functionName} />
            </a>
          </Figure>
          <Figure name="When">
            <Time at={invocation.started} />
          </Figure>
          <Figure name="Duration">{durationInWords(invocation.duration)}</Figure>
          <Figure name="Attempt">{invocation.attempt}</Figure>
          <Figure name="Code">generation {invocation.generation}</Figure>
          <Figure name="Request id">
            <a class="mono" href={addressOf('/invocations', { requestId: invocation.requestId })}>
              <Text of={invocation.requestId} />
            </a>
          </Figure>
        </dl>
        {invocation.masked && (
          <p class="faint">Secrets in it are masked. Invoking it again sends the masked event.</p>
        )}
      </div>
      <InvocationChain details={details} />
      <div class="columns">
        <Section title="Event">
          {details.isEventOmitted && (
            <p class="note warn">
              The event was left out, because too much came at once. It cannot be sent again.
            </p>
          )}
          <JsonView text={event} label="the event" problems={eventProblems.map(marked)} />
        </Section>
        <div class="stack">
          <Section title="Payload">
            <ProblemsOf problems={payloadProblems.length} what="payload" />
            <JsonView text={payload} label="the payload" problems={payloadProblems.map(marked)} />
          </Section>
          <Section title={`Log (${logs.length})`}>
            {logs.length === 0 ? (
              <p class="faint">The function wrote nothing.</p>
            ) : (
              <ol class="log">
                {logs.slice(0, 1000).map(({ stream, text }, index) => (
                  <li key={index} class={stream}>
                    <LongTextOrLine text={text} />
                  </li>
                ))}
                {logs.length > 1000 && <li class="faint">{logs.length - 1000} more lines</li>}
              </ol>
            )}
          </Section>
        </div>
      </div>
    </>
  )
}

function ProblemsOf({ problems, what }: { readonly problems: number; readonly what: string }) {
  if (problems === 0) return null
  return (
    <p class="note bad">
      The {what} breaks the contract in{' '}
      {problems === 1 ? 'one place, which is' : `${problems} places, which are`} marked below.
    </p>
  )
}

function marked({ pointer, expected, actual }: InvocationDetails['eventProblems'][number]) {
  return { pointer, text: `expected ${expected}${actual === undefined ? '' : `, was ${actual}`}` }
}

function LongTextOrLine({ text }: { readonly text: string }) {
  if (text.length > 2000) return <LongText of={text} label="long text" />
  return (
    <pre class="lines">
      <Lines text={text} />
    </pre>
  )
}

function Lines({ text }: { readonly text: string }) {
  return (
    <>
      {text.split('\n').map((line, index) => (
        <div key={index}>
          <Text of={line} most={2000} />
        </div>
      ))}
    </>
  )
}
