import type { InvocationDetails, Trace } from '../../../api/invocations.ts'
import { addressOf } from '../../address/address.ts'
import { Section } from '../../parts/section.tsx'
import { Table } from '../../parts/table.tsx'
import { Text } from '../../text/text.tsx'
import { durationInWords } from '../../time/words-of-time.ts'
import { tones, VerdictBadge } from './verdict-badge.tsx'

type Step = Trace['steps'][number]

/** The chain of an invocation as a waterfall: what led to it, what it led to, and when. */
export function InvocationTrace({ details: { invocation, trace } }: { readonly details: InvocationDetails }) {
  if (trace === undefined) return null
  const { steps } = trace
  const whole = Math.max(1, ...steps.map(step => step.offset + step.invocation.duration))
  return (
    <Section title="The trace">
      <p class="faint small">
        {steps.length} invocations in {durationInWords(whole)}, trace{' '}
        <span class="mono">
          <Text of={trace.id} most={64} />
        </span>
      </p>
      <Table
        label="The invocations of the trace"
        rows={steps}
        keyOf={({ invocation: { id } }) => id}
        columns={[
          { name: 'Invocation', isName: true, cell: step => <Name step={step} current={invocation.id} /> },
          { name: 'Verdict', cell: step => <VerdictBadge of={step.invocation} /> },
          { name: 'Start', isNumber: true, cell: step => <Start step={step} /> },
          { name: 'Duration', isNumber: true, cell: step => durationInWords(step.invocation.duration) },
          { name: 'Timeline', isExtra: true, cell: step => <Bar step={step} whole={whole} /> },
        ]}
      />
    </Section>
  )
}

function Name({ step: { invocation, depth }, current }: { readonly step: Step; readonly current: number }) {
  const { id, summary, functionName, source, attempt } = invocation
  return (
    <>
      {depth > 0 && <span aria-hidden="true">{'\u00a0\u00a0'.repeat(Math.min(depth, 8) - 1)}↳ </span>}
      {id === current ? (
        <strong aria-current="step">
          <Text of={summary} most={60} />
        </strong>
      ) : (
        <a href={addressOf(`/invocations/${id}`)}>
          <Text of={summary} most={60} />
        </a>
      )}{' '}
      <span class="faint small">
        <Text of={source} most={40} /> → <Text of={functionName} most={40} />
        {attempt > 1 && `, attempt ${attempt}`}
      </span>
    </>
  )
}

function Start({ step: { offset, waited } }: { readonly step: Step }) {
  return (
    <>
      +{durationInWords(offset)}
      {waited !== undefined && <div class="faint small">after {durationInWords(waited)}</div>}
    </>
  )
}

/** Shows when an invocation ran. The other columns say the same in words. */
function Bar({ step: { invocation, offset }, whole }: { readonly step: Step; readonly whole: number }) {
  const width = Math.max(1, (invocation.duration / whole) * 100)
  const x = Math.min((offset / whole) * 100, 100 - width)
  return (
    <svg
      class={`waterfall ${tones[invocation.severity]}`}
      viewBox="0 0 100 10"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect x={x} y="1" width={width} height="8" />
    </svg>
  )
}
