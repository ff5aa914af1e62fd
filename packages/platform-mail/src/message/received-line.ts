/** How a mail came in. */
export interface Passage {
  /** What the client calls itself. */
  readonly helo: string
  /** The client's address, IPv4 or IPv6. */
  readonly address: string
  /** What this server calls itself. */
  readonly name: string
  /** SMTP, ESMTP, UTF8SMTP; with an S at the end over TLS (RFC 3848, RFC 6531). */
  readonly protocol: string
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The trace line that goes on top of a mail: RFC 5321, 4.4. What the client says of itself cannot end it. */
export function receivedLine({ helo, address, name, protocol, id, at }: Passage): string {
  const literal = address.includes(':') ? `IPv6:${address}` : address
  return (
    `Received: from ${plain(helo)} ([${plain(literal)}])\r\n` +
    `\tby ${plain(name)} with ${protocol} id ${plain(id)};\r\n\t${mailDate(at)}\r\n`
  )
}

/** A moment as mails write it: RFC 5322, 3.3. */
export function mailDate(at: number): string {
  return new Date(at).toUTCString().replace('GMT', '+0000')
}

/** What may stand in a name or an address; everything else would be able to say something else. */
function plain(text: string): string {
  return text.replace(/[^\w.:[\]-]/g, '?').slice(0, 255) || '?'
}
