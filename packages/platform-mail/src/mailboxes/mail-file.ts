import type { MailToDeliver } from './mailboxes.ts'

/**
 * Returns the header lines that a mailbox adds before a mail. They end with a line feed. As with Postfix, mail to an alias
 * or a subaddress keeps its recipient in X-Original-To.
 */
export function topLines({ from, to }: Pick<MailToDeliver, 'from' | 'to'>, mailbox: string): Buffer {
  const lines = [`Return-Path: <${from}>`, `Delivered-To: ${mailbox}`]
  if (to !== undefined && to !== mailbox) lines.push(`X-Original-To: ${to}`)
  return Buffer.from(lines.map(line => `${withoutControls(line)}\n`).join(''))
}

const [lf, cr] = [0x0a, 0x0d]

/** The number of bytes that become one piece of a file. */
const pieceSize = 256 * 1024

/**
 * Returns a mail with line feeds as line ends, as mail readers expect in files. It comes in pieces, so that a large mail
 * is not converted in one go, while all other clients wait.
 */
export function* withLineFeeds(raw: Buffer): Generator<Buffer> {
  for (let at = 0; at < raw.length; ) {
    const end = Math.min(at + pieceSize, raw.length)
    const piece = Buffer.allocUnsafe(end - at)
    let length = 0
    // A loop over bytes takes the same time for every mail. String methods are slow for a mail of empty lines.
    for (; at < end; at++) {
      const byte = raw[at]!
      if (byte !== cr || raw[at + 1] !== lf) piece[length++] = byte
    }
    yield piece.subarray(0, length)
  }
}

/** Returns a mail with CRLF as line ends. */
export function withCrlf(raw: Buffer): Buffer {
  let bareLineFeeds = 0
  for (let at = 0; at < raw.length; at++) if (raw[at] === lf && raw[at - 1] !== cr) bareLineFeeds++
  const mail = Buffer.allocUnsafe(raw.length + bareLineFeeds)
  let length = 0
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at]!
    if (byte === lf && raw[at - 1] !== cr) mail[length++] = cr
    mail[length++] = byte
  }
  return mail
}

/** Removes control characters, because they could end the header line. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '')
}
