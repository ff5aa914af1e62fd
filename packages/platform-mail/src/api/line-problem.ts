import type { Reply } from './reply.ts'

/** Why a line is no command that is looked at any further. `fatal` ones end the connection. */
export interface LineProblem extends Reply {
  readonly fatal: boolean
}

const notHere = /^(?:AUTH|BDAT|EXPN|TURN|ETRN|SEND|SOML|SAML)(?: |$)/i

// A web page can make a browser send a form to any port.
const http = /^[A-Z]+ [^ ]+ HTTP\/\d/i

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\x00-\x08\x0a-\x1f\x7f]/

export function lineProblem(line: Buffer): LineProblem | undefined {
  const text = line.toString('latin1')
  if (http.test(text))
    return { code: 500, text: '5.5.2 This is a mail server, which speaks SMTP', fatal: true }
  if (control.test(text))
    return { code: 500, text: '5.5.2 There are control characters in the command', fatal: false }
  if (notHere.test(text)) return { code: 502, text: '5.5.1 This command is not offered', fatal: false }
  return undefined
}
