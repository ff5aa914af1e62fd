import type { RelaySettings } from '../config/mail-settings.ts'
import type { RelayError } from './hand-over.ts'

/** Characters of what a relay says that are kept. */
const wordsLimit = 500

/** What went wrong, in one line, for people and for the sender: what the relay said, if it said anything. */
export function told(
  error: RelayError,
  { host, port }: Pick<RelaySettings, 'host' | 'port'>,
  secrets: readonly string[],
): string {
  const { response, responseCode, message } = error
  const words =
    responseCode === undefined || response === undefined
      ? isAboveAnnouncedSize(error)
        ? '552 5.3.4 The mail is larger than the relay takes'
        : `the relay ${host}:${port} cannot take it now: ${message}`
      : joined(response)
  const line = words.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return secrets.reduce((text, secret) => text.replaceAll(secret, '…'), line).slice(0, wordsLimit)
}

/** Whether the library has not even sent a mail because it is above the limit that the server has announced. */
export function isAboveAnnouncedSize({ code, command, response }: RelayError): boolean {
  return code === 'EMESSAGE' && command === 'MAIL FROM' && response === undefined
}

/** Every form in which a server could say a password again that it was told. */
export function secretsOf({ user, password }: Pick<RelaySettings, 'user' | 'password'>): readonly string[] {
  if (password === undefined || password === '') return []
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return [password, base64(password), base64(`\0${user}\0${password}`)]
}

/** The lines of a reply as one: each of them repeats the codes. */
function joined(response: string): string {
  const [first = '', ...rest] = response.split(/[\r\n]+/)
  const more = rest.map(line => line.replace(/^\d{3}[ -](?:[245]\.\d{1,3}\.\d{1,3} )?/, ''))
  return [first.replace(/^(\d{3})-/, '$1 '), ...more].join(' ')
}
