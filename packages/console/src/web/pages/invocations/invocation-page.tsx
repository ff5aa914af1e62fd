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
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { commandFor, testFor } from './copies-of.ts'
import { InvocationChain } from './invocation-chain.tsx'
import { InvocationLog, TextOrLines } from './invocation-log.tsx'
import { InvocationTrace } from './invocation-trace.tsx'
import { promptFor } from './prompt-of.ts'
import { firstOwnFrame } from './stack-lines.ts'
import { failureInWords, loggedInWords, resultText, tones, VerdictBadge } from './verdict-badge.tsx'

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
  const { invocation, event, payload, logs, payloadProblems } = details
  const { id, functionName, source, verdict } = invocation
  const isLogFirst = logs.length > 0 && /warning|error/.test(invocation.severity)
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
            <CopyButton label="Copy as prompt" text={() => promptFor(details)} />
          </>
        }
      >
        <a href={addressOf('/invocations')}>Invocations</a> › #{id} from <Text of={source} />
      </PageHead>
      {again.error && <ProblemNote text={again.error} />}
      {isLogFirst ? (
        <div class="columns">
          <Section title="Verdict">
            <VerdictCard details={details} />
          </Section>
          <InvocationLog logs={logs} />
        </div>
      ) : (
        <VerdictCard details={details} />
      )}
      <InvocationTrace details={details} />
      <InvocationChain details={details} />
      <div class="columns">
        <EventSection details={details} />
        <div class="stack">
          <Section title="Payload">
            <ProblemsOf problems={payloadProblems.length} what="payload" />
            <JsonView text={payload} label="the payload" problems={payloadProblems.map(marked)} />
          </Section>
          {!isLogFirst && <InvocationLog logs={logs} />}
        </div>
      </div>
    </>
  )
}

/** What the platform concluded, and where the function's own code failed. */
function VerdictCard({ details: { invocation, logs } }: { readonly details: InvocationDetails }) {
  const { functionName, severity } = invocation
  const frame = severity === 'error' || severity === 'warning' ? firstOwnFrame(logs) : undefined
  const result = resultText(invocation)
  return (
    <div class={`verdict card ${tones[severity]}`}>
      <div class="actions">
        <VerdictBadge of={invocation} />
        <strong>
          <Text of={headingOf(invocation)} />
        </strong>
      </div>
      {result !== '' && <TextOrLines text={result} />}
      {frame !== undefined && (
        <p class="own-frame mono">
          <Text of={frame} most={400} />
        </p>
      )}
      {invocation.loggedErrors > 0 && <p>{loggedInWords(invocation.loggedErrors)}</p>}
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
  )
}

function headingOf({ verdict, failure }: InvocationDetails['invocation']): string {
  if (verdict?.kind === 'denied') return 'The function denied it'
  if (failure !== undefined) return `The function ${failureInWords(failure.kind)}`
  if (verdict === undefined) return 'The platform concluded nothing'
  if (verdict.kind === 'partial') return 'Some messages failed'
  if (!verdict.ok) return 'The platform does not accept the result'
  if (/^5\d\d\b/.test(verdict.text)) return 'The answer is an error'
  if (/^4\d\d\b/.test(verdict.text)) return 'The answer refuses the request'
  return 'The platform accepts the result'
}

/** The event as the function got it. A function with a dialect got it in other names than those of the contract. */
function EventSection({ details }: { readonly details: InvocationDetails }) {
  const { event, eventInDialect, eventProblems, isEventOmitted } = details
  // Problems have their places in the names of the contract.
  const [isInContract, setInContract] = useState(eventProblems.length > 0)
  const isOther = eventInDialect !== undefined && !isInContract
  return (
    <Section
      title="Event"
      tools={
        eventInDialect !== undefined && (
          <button type="button" class="quiet" onClick={() => setInContract(!isInContract)}>
            {isOther ? 'In the names of the contract' : 'As the function got it'}
          </button>
        )
      }
    >
      {isEventOmitted && (
        <p class="note warn">
          The event was left out, because too much came at once. It cannot be sent again.
        </p>
      )}
      {isOther ? (
        <JsonView key="dialect" text={eventInDialect} label="the event" />
      ) : (
        <JsonView key="contract" text={event} label="the event" problems={eventProblems.map(marked)} />
      )}
    </Section>
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
