import type { MailAction } from '@signalbox/mail-flow/contract'
import type { FilteredMail, FilteredRecipient } from './arriving-mail.ts'
import { type Agreement, actions, keepsLeadingSpace } from './negotiation.ts'
import { packet, uint32 } from './packets.ts'

/** The changes that file a mail in the inbox or in the junk folder. */
export interface FlagChanges {
  readonly packets: readonly Buffer[]
  /** The recipients whose mail goes to a subaddress of theirs instead. */
  readonly moved: readonly (FilteredRecipient & { readonly to: string })[]
}

/** A recipient who gets the mail. */
type Kept = FilteredRecipient & { readonly action: MailAction | undefined }

const flagName = 'X-Spam-Flag'

/**
 * Returns the changes of the spam flag. All recipients share the head of the mail, so that the flag can say only what is
 * true for all of them. Otherwise, the mail for the junk folder goes to a subaddress, or the flag stays as it was.
 */
export function flagChanges(
  { spamFlags }: Pick<FilteredMail, 'spamFlags'>,
  kept: readonly Kept[],
  agreement: Agreement,
  junkSubaddress: string | undefined,
): FlagChanges {
  const isJunk = ({ action }: Kept) =>
    action?.type === 'MOVE_TO_JUNK' || (action?.type !== 'BYPASS_SPAM_CHECK' && spamFlags.isSet)
  if (kept.length === 0) return { packets: [], moved: [] }
  const junk = kept.filter(isJunk)
  const inAll = junk.length === kept.length
  if (junk.length > 0 && !inAll && junkSubaddress === undefined) return { packets: [], moved: [] }
  // The flag of an earlier filter is right already, unless the mail also has one that says the opposite.
  const isRight = inAll
    ? spamFlags.isSet &&
      (spamFlags.count === 1 || !kept.some(({ action }) => action?.type === 'MOVE_TO_JUNK'))
    : !spamFlags.isSet
  const removals = isRight || (agreement.actions & actions.changeHeader) === 0 ? 0 : spamFlags.count
  const isAdded = inAll && !isRight && (agreement.actions & actions.addHeader) !== 0
  return {
    packets: [
      // The last one is removed first, so that the positions of the others stay the same.
      ...Array.from({ length: removals }, (_, at) => packet('m', uint32(removals - at), flagName, '')),
      ...(isAdded ? [packet('i', uint32(0), flagName, keepsLeadingSpace(agreement) ? ' YES' : 'YES')] : []),
    ],
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
