import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection'
import type { RelaySettings } from '../config/mail-settings.ts'

/** Milliseconds to connect, and for each reply: RFC 5321, 4.5.3.2, asks for ten minutes after the data. */
const [connectionTimeout, replyTimeout] = [30_000, 10 * 60_000]

/** @param name what this server calls itself */
export function optionsOf(
  { host, port, secure, user }: RelaySettings,
  name: string,
): SMTPConnectionOptions & { readonly requireTLS: boolean } {
  return {
    host,
    port,
    secure,
    name,
    // A password does not go over a network in the clear.
    requireTLS: user !== undefined && !secure && !isLoopback(host),
    allowInternalNetworkInterfaces: true,
    connectionTimeout,
    greetingTimeout: connectionTimeout,
    socketTimeout: replyTimeout,
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host)
}
