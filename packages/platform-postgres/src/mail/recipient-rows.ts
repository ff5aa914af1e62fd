import type { StoredRecipient } from '@signalbox/platform-mail/store'
import type { Query } from '../database.ts'

/** A recipient with the id of its mail. */
export interface RecipientRow extends StoredRecipient {
  readonly mail: string
  readonly invocation: string | null
}

/** Returns the recipients of mails, in the order of their envelopes. */
export function recipientsOf(query: Query, mails: readonly string[]): Promise<readonly RecipientRow[]> {
  return query<RecipientRow>(
    'select id, mail, address, invocation, state, destination from recipients where mail = any($1) order by id',
    [mails],
  )
}

/** Converts a table row to a recipient. */
export function storedRecipient({ id, address, state, destination }: RecipientRow): StoredRecipient {
  return { id, address, state, destination: destination ?? undefined }
}
