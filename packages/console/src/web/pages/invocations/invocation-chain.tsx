import type { InvocationSummary } from '@signalbox/platform-runtime/console'
import type { InvocationDetails } from '../../../api/invocations.ts'
import { addressOf } from '../../address/address.ts'
import { Section } from '../../parts/section.tsx'
import { sources } from '../../sources/all.ts'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { tones, VerdictBadge } from './verdict-badge.tsx'

/** The invocations that are related to an invocation, and what sources add, in chronological order. */
export function InvocationChain({ details }: { readonly details: InvocationDetails }) {
  const { invocation, ledFrom, ledTo } = details
  const ofSources = sources.flatMap(({ story }) => story?.stepsOf(details) ?? [])
  if (ledFrom.length + ledTo.length + ofSources.length === 0) return null
  const steps = [
    ...ledFrom.map(stepOf),
    { at: invocation.started, step: <Step key="this" of={invocation} why="this invocation" isCurrent /> },
    ...ledTo.map(stepOf),
    ...ofSources,
  ]
  return (
    <Section title="The story">
      <ol class="chain">{steps.sort((a, b) => a.at - b.at).map(({ step }) => step)}</ol>
    </Section>
  )
}

function stepOf(related: InvocationDetails['ledFrom'][number]) {
  const { invocation } = related
  return {
    at: invocation.started,
    step: <Step key={invocation.id} of={invocation} why={whyOf(related)} />,
  }
}

function whyOf({ by, id }: InvocationDetails['ledFrom'][number]): string {
  return by === 'attempt' ? 'another attempt with the same event' : `also names ${id}`
}

function Step({
  of,
  why,
  isCurrent = false,
}: {
  readonly of: InvocationSummary
  readonly why: string
  readonly isCurrent?: boolean
}) {
  return (
    <li class={tones[of.severity]} aria-current={isCurrent ? 'step' : undefined}>
      <div class="actions">
        {isCurrent ? (
          <strong>
            <Text of={of.summary} most={100} />
          </strong>
        ) : (
          <a href={addressOf(`/invocations/${of.id}`)}>
            <Text of={of.summary} most={100} />
          </a>
        )}
        <VerdictBadge of={of} />
        <span class="faint">
          <Text of={of.functionName} most={60} />, <Time at={of.started} />
          {of.attempt > 1 && `, attempt ${of.attempt}`}
        </span>
      </div>
      <div class="faint small">
        <Text of={why} most={100} />
      </div>
    </li>
  )
}
