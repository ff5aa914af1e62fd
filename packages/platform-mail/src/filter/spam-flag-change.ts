import type { MailAction } from '@signalbox/mail-flow/contract'
import type { FilteredMail, FilteredRecipient } from './filtered-mail.ts'

/** What happens to the spam flags in the head of a mail. */
export interface SpamFlagChange {
  /** Whether all flags that the mail has are removed. */
  readonly removesAll: boolean
  /** Whether the mail gets a flag that says yes. */
  readonly isAdded: boolean
}

/** A recipient who gets the mail. */
type Kept<Path> = FilteredRecipient<Path> & { readonly action: MailAction | undefined }

/** The name of the header as it is written. */
export const flagName = 'X-Spam-Flag'

const unchanged = { removesAll: false, isAdded: false, moved: [] }

/**
 * Returns the change of the spam flag, and the recipients whose mail goes to a subaddress of theirs instead. All
 * recipients share the head of the mail, so that the flag can say only what is true for all of them. Otherwise, the mail
 * for the junk folder goes to a subaddress, or the flag stays as it was.
 */
export function spamFlagChange<Path>(
  { spamFlags }: Pick<FilteredMail<Path>, 'spamFlags'>,
  kept: readonly Kept<Path>[],
  junkSubaddress: string | undefined,
): SpamFlagChange & { readonly moved: readonly (Kept<Path> & { readonly to: string })[] } {
  const isJunk = ({ action }: Kept<Path>) =>
    action?.type === 'MOVE_TO_JUNK' || (action?.type !== 'BYPASS_SPAM_CHECK' && spamFlags.isSet)
  if (kept.length === 0) return unchanged
  const junk = kept.filter(isJunk)
  const inAll = junk.length === kept.length
  if (junk.length > 0 && !inAll && junkSubaddress === undefined) return unchanged
  // The flag of an earlier filter is right already, unless the mail also has one that says the opposite.
  const isRight = inAll
    ? spamFlags.isSet &&
      (spamFlags.count === 1 || !kept.some(({ action }) => action?.type === 'MOVE_TO_JUNK'))
    : !spamFlags.isSet
  return {
    removesAll: !isRight && spamFlags.count > 0,
    isAdded: inAll && !isRight,
    moved: inAll ? [] : junk.map(each => ({ ...each, to: withSubaddress(each.address, junkSubaddress!) })),
  }
}

/** Returns the address with a subaddress (RFC 5233) instead of its own. */
function withSubaddress(address: string, subaddress: string): string {
  const at = address.lastIndexOf('@')
  const [local, domain] = [address.slice(0, at), address.slice(at)]
  if (local.startsWith('"')) return `${local.slice(0, -1)}+${subaddress}"${domain}`
  const plus = local.indexOf('+')
  return `${plus > 0 ? local.slice(0, plus) : local}+${subaddress}${domain}`
}
