import type { Reply } from '../reply.ts'

const notImplemented = /^(?:BDAT|EXPN|TURN|ETRN|SEND|SOML|SAML)(?: |$)/i

// Matches an HTTP request. A web page can make a browser send a form to any port.
const http = /^[A-Z]+ [^ ]+ HTTP\/\d/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: it looks for them
const control = /[\x00-\x08\x0a-\x1f\x7f]/

/** Returns the reply to a line that is obviously not a command of this server. */
export function lineProblem(line: Buffer): Reply | undefined {
  const text = line.toString('latin1')
  if (http.test(text)) return { code: 500, text: '5.5.2 This is an SMTP server', closes: true }
  if (control.test(text)) return { code: 500, text: '5.5.2 Control characters in the command' }
  if (notImplemented.test(text)) return { code: 502, text: '5.5.1 Command not implemented' }
  return undefined
}
