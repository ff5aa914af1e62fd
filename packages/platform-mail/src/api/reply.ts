/** What the server says: a code, and a text that begins with an enhanced status code (RFC 3463). */
export interface Reply {
  readonly code: number
  readonly text: string
}

/** Whether a text has its enhanced status code already. */
export function isEnhanced(text: unknown): boolean {
  return typeof text === 'string' && /^[245]\.\d{1,3}\.\d{1,3} /.test(text)
}

/** A reply in the form in which smtp-server wants its refusals. */
export function asError({ code, text }: Reply): Error & { readonly responseCode: number } {
  return Object.assign(new Error(text), { responseCode: code })
}

/** A reply as it goes over the wire. Nothing in it can start another. */
export function replyLines(code: number, status: string, texts: readonly string[]): string {
  return texts
    .map((text, index) => {
      const words = [status, text.replace(/\p{Cc}/gu, ' ')].filter(word => word !== '').join(' ')
      return `${code}${index < texts.length - 1 ? '-' : ' '}${words}\r\n`
    })
    .join('')
}
