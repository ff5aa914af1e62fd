import { type Cause, fromTraceparent, traceIdOf } from '@signalbox/platform-runtime/traces'
import type { StoredMail } from '../store/mail-store.ts'

/** Returns the span that accepted a mail, as the cause of what happens to the mail. */
export function mailCause({ id, facts }: Pick<StoredMail, 'id' | 'facts'>): Cause {
  return { parent: fromTraceparent(facts?.trace), traceId: traceIdOf(id) }
}
