/** The data of a trace line. */
export interface Hop {
  /** The host name that the client sent. */
  readonly helo: string
  /** The client's address, IPv4 or IPv6. */
  readonly address: string
  /** The name of this server. */
  readonly name: string
  /** The protocol, such as SMTP, ESMTP or UTF8SMTP, with an S at the end for TLS (RFC 3848, RFC 6531). */
  readonly protocol: string
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** Returns the trace line on top of a mail (RFC 5321, 4.4). Unsafe characters in the client's name are replaced. */
export function receivedLine({ helo, address, name, protocol, id, at }: Hop): string {
  const literal = address.includes(':') ? `IPv6:${address}` : address
  return (
    `Received: from ${plain(helo)} ([${plain(literal)}])\r\n` +
    `\tby ${plain(name)} with ${protocol} id ${plain(id)};\r\n\t${mailDate(at)}\r\n`
  )
}

/** Formats a time for a mail header (RFC 5322, 3.3). */
export function mailDate(at: number): string {
  return new Date(at).toUTCString().replace('GMT', '+0000')
}

/** Replaces characters that are not allowed in names and addresses. */
function plain(text: string): string {
  return text.replace(/[^\w.:[\]-]/g, '?').slice(0, 255) || '?'
}
