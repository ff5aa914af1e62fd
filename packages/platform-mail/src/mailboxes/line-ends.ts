/** Returns a mail with line feeds as line ends, as mail readers expect in files. */
export function withLineFeeds(raw: Buffer): Buffer {
  return Buffer.from(raw.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}

/** Returns a mail with CRLF as line ends. */
export function withCrlf(raw: Buffer): Buffer {
  return Buffer.from(raw.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}
