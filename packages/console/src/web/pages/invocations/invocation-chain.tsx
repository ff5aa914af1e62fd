import type { InvocationDetails, InvocationSummary } from '../../../api/invocations.ts'
import { addressOf, segment } from '../../address/address.ts'
import { Section } from '../../parts/section.tsx'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { RecipientBadge } from '../mail/recipient-badge.tsx'
import { toneOf, VerdictBadge } from './verdict-badge.tsx'

/** The maximum number of recipients that the page shows for a mail. */
const mostRecipients = 5

/** The invocations and the mails that are related to an invocation, in chronological order. */
export function InvocationChain({ details }: { readonly details: InvocationDetails }) {
  const { invocation, ledFrom, ledTo, mails } = details
  if (ledFrom.length + ledTo.length + mails.length === 0) return null
  const steps = [
    ...ledFrom.map(stepOf),
    { at: invocation.started, step: <Step key="this" of={invocation} why="this invocation" isCurrent /> },
    ...ledTo.map(stepOf),
    ...mails.map(mail => ({ at: mail.receivedAt, step: <MailStep key={mail.id} mail={mail} /> })),
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

function MailStep({ mail }: { readonly mail: InvocationDetails['mails'][number] }) {
  return (
    <li>
      <div class="actions">
        <a href={addressOf(`/mail/accepted/${segment(mail.id)}`)}>
          Mail: {mail.subject === '' ? 'no subject' : <Text of={mail.subject} most={80} />}
        </a>
        <span class="faint">
          <Time at={mail.receivedAt} />
        </span>
      </div>
      {mail.recipients.slice(0, mostRecipients).map(({ address, state }, index) => (
        <div class="small" key={index}>
          <RecipientBadge state={state} /> <Text of={address} most={80} />
        </div>
      ))}
      {mail.recipients.length > mostRecipients && (
        <div class="faint small">and {mail.recipients.length - mostRecipients} more</div>
      )}
    </li>
  )
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
    <li class={toneOf(of)} aria-current={isCurrent ? 'step' : undefined}>
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
