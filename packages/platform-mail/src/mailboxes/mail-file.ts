/** Returns the header lines that a mailbox adds before a mail. They end with a line feed. */
export function topLines(from: string, recipient: string): Buffer {
  return Buffer.from(`Return-Path: <${withoutControls(from)}>\nDelivered-To: ${withoutControls(recipient)}\n`)
}

/** Returns a mail with line feeds as line ends, as mail readers expect in files. */
export function withLineFeeds(raw: Buffer): Buffer {
  return Buffer.from(raw.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}

/** Returns a mail with CRLF as line ends. */
export function withCrlf(raw: Buffer): Buffer {
  return Buffer.from(raw.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}

/** Removes control characters, because they could end the header line. */
function withoutControls(text: string): string {
  return text.replace(/\p{Cc}/gu, '')
}
