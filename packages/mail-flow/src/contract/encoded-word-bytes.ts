/**
 * Returns a head in which the raw bytes beyond ASCII within encoded words (RFC 2047) are encoded, too. Some programs put
 * a name in such a word without encoding its letters. The charset of the word then applies to these bytes, which would be
 * lost if the head were first read as UTF-8. Returns the same buffer if there are no such bytes.
 * @example
 * ```ts
 * import { encodeWordBytes } from '@signalbox/mail-flow/contract'
 *
 * const head = Buffer.from('Subject: =?iso-8859-1?Q?Gr\u00fc\u00dfe?=\r\n', 'latin1')
 * encodeWordBytes(head).toString() // 'Subject: =?iso-8859-1?Q?Gr=fc=dfe?=\r\n'
 * ```
 */
export function encodeWordBytes(head: Buffer): Buffer {
  const before = head.toString('latin1')
  const after = before.replace(/=\?[^?\s]+\?q\?[^?\r\n]*\?=/gi, word =>
    word.replace(/[\x80-\xff]/g, byte => `=${byte.charCodeAt(0).toString(16)}`),
  )
  return after === before ? head : Buffer.from(after, 'latin1')
}
