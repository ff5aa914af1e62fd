/**
 * Returns the name of a mailbox from the local part of an address. `Ann`, `ann` and `"ann"` are one mailbox. Only
 * the server of the mailboxes may make this decision (RFC 5321, 2.4).
 */
export function mailboxName(local: string): string {
  // Only ASCII letters: the lower case of other letters depends on the language.
  return withoutQuotes(local)
    .normalize('NFC')
    .replace(/[A-Z]/g, letter => letter.toLowerCase())
}

/** Removes quotes that have no effect: RFC 5321, 4.1.2. */
function withoutQuotes(local: string): string {
  if (!/^".+"$/s.test(local)) return local
  const inside = local.slice(1, -1).replace(/\\(.)/gs, '$1')
  return /[\s\p{Cc}"<>()[\],;:\\@]/u.test(inside) ? local : inside
}
