/** A reply of the server. */
export interface Reply {
  readonly code: number
  /** Begins with an enhanced status code (RFC 3463), except for greetings and replies to EHLO. */
  readonly text: string
  /** Further lines. */
  readonly more?: readonly string[]
  /** Whether the connection is closed after the reply. A 421 reply always closes the connection. */
  readonly closes?: true
  /** Whether TLS begins after the reply. */
  readonly startsTls?: true
}

/** Returns the lines of a reply. Control characters are replaced, so that a text cannot begin a new line. */
export function replyLines(code: number, texts: readonly string[]): string {
  return texts
    .map((text, index) => {
      const separator = index < texts.length - 1 ? '-' : ' '
      return `${code}${separator}${text.replace(/\p{Cc}/gu, ' ')}\r\n`
    })
    .join('')
}

/** Returns the lines of replies, one after the other. */
export function linesOf(replies: readonly Reply[]): string {
  return replies.map(({ code, text, more = [] }) => replyLines(code, [text, ...more])).join('')
}

/** The reply when the listener stops. */
export const stopping: Reply = { code: 421, text: '4.3.2 Server is stopping, try again later' }
