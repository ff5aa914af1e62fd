import type { AcceptedMail } from '@signalbox/platform-mail/console'
import type { InvocationDetails } from '../../../api/invocations.ts'

/** Returns the mails that the event of an invocation names. */
export function mailsOf(details: InvocationDetails): readonly AcceptedMail[] {
  const { mails = [] } = details as { readonly mails?: readonly AcceptedMail[] }
  return mails
}
