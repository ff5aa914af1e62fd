/**
 * Returns the name of a mailbox from the local part of an address. `Ann`, `ann` and `"ann"` name the same mailbox. Only
 * the server that keeps the mailboxes may decide this (RFC 5321, 2.4).
 */
export function mailboxName(local: string): string {
  // Converts only ASCII letters, because the lower case of other letters depends on the language.
  return withoutQuotes(local)
    .normalize('NFC')
    .replace(/[A-Z]/g, letter => letter.toLowerCase())
}

/** Removes quotes that have no effect (RFC 5321, 4.1.2). */
function withoutQuotes(local: string): string {
  if (!/^".+"$/s.test(local)) return local
  const inside = local.slice(1, -1).replace(/\\(.)/gs, '$1')
  return /[\s\p{Cc}"<>()[\],;:\\@]/u.test(inside) ? local : inside
}
