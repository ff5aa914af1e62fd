import type { AcceptedMail } from '@signalbox/platform-mail/console'
import { addressOf, segment } from '../../address/address.ts'
import { Text } from '../../text/text.tsx'
import { Time } from '../../time/time.tsx'
import { RecipientBadge } from './recipient-badge.tsx'

/** The maximum number of recipients that the page shows for a mail. */
const mostRecipients = 5

/** A mail in the story of an invocation. */
export function MailStep({ mail }: { readonly mail: AcceptedMail }) {
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
