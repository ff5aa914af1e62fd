import type { ServerSettings } from '../config/mail-settings.ts'
import { tooLarge } from './hand-over.ts'
import type { RelayError } from './smtp-client.ts'

const longestText = 500

/**
 * Returns the reason why the relay did not accept a mail, which is the relay's reply or the error. The reason is one
 * line, for operators and for the sender of the mail.
 * @param secrets the strings to remove, because a relay might repeat a password
 */
export function failureText(
  error: RelayError,
  server: Parameters<typeof serverName>[0],
  secrets: readonly string[],
): string {
  const { reply, message } = error
  const text =
    reply === undefined
      ? isTooLarge(error)
        ? '552 5.3.4 The mail is larger than the relay accepts'
        : `${serverName(server)} cannot take it now: ${message}`
      : joined(reply.text)
  const line = text.replace(/[\p{Cc}\s]+/gu, ' ').trim()
  return secrets.reduce((cleared, secret) => cleared.replaceAll(secret, '…'), line).slice(0, longestText)
}

/** Returns the words for a server in the reasons that senders and operators read. */
export function serverName({
  protocol,
  host,
  port,
  socket,
}: Pick<ServerSettings, 'protocol' | 'host' | 'port' | 'socket'>): string {
  const what = protocol === 'LMTP' ? 'LMTP server' : 'relay'
  // The path of a socket is a matter of this machine.
  return socket === undefined ? `the ${what} ${host}:${port}` : `the ${what} of this machine`
}

/** Returns whether a mail was not sent because it exceeds the size limit of the relay. */
export function isTooLarge({ message, reply }: RelayError): boolean {
  return message === tooLarge && reply === undefined
}

/** Returns all forms in which a server could repeat the password. */
export function secretsOf({ user, password }: Pick<ServerSettings, 'user' | 'password'>): readonly string[] {
  if (password === undefined || password === '') return []
  const base64 = (text: string) => Buffer.from(text).toString('base64')
  return [password, base64(password), base64(`\0${user}\0${password}`)]
}

/** Joins the lines of a reply into one line, without the codes that each line repeats. */
function joined(reply: string): string {
  const [first = '', ...rest] = reply.split(/[\r\n]+/)
  const more = rest.map(line => line.replace(/^\d{3}[ -](?:[245]\.\d{1,3}\.\d{1,3} )?/, ''))
  return [first.replace(/^(\d{3})-/, '$1 '), ...more].join(' ')
}
