import type { MailProtocol } from '../protocol.ts'
import type { Reply } from '../reply.ts'
import { forwardingLines } from './forwarded-client.ts'

/** Returns the reply with which the server greets a new client. */
export function serverGreeting(name: string, protocol: MailProtocol): Reply {
  return { code: 220, text: `${name} ${protocol === 'lmtp' ? 'LMTP' : 'ESMTP'}` }
}

/** The greeting of a client. */
export interface Greeting {
  readonly hostname: string
  /** Whether the client used EHLO or LHLO rather than HELO. */
  readonly isExtended: boolean
}

const longestHostname = 300

/** Reads `EHLO hostname`, `HELO hostname` or `LHLO hostname`. Returns the greeting, or the reply that refuses it. */
export function readHello(line: Buffer, name: 'EHLO' | 'HELO' | 'LHLO'): Greeting | Reply {
  const [, hostname, ...more] = line.toString().trim().split(/\s+/)
  if (hostname === undefined || more.length > 0) return { code: 501, text: `Syntax: ${name} hostname` }
  if (hostname.length > longestHostname) return { code: 501, text: 'Invalid host name' }
  return { hostname: hostname.toLowerCase(), isExtended: name !== 'HELO' }
}

/** Returns the lines of the reply to a greeting, which are the server's name and, after EHLO, the extensions. */
export function helloLines(
  { isExtended }: Greeting,
  server: {
    readonly name: string
    readonly maxSize: number
    readonly offersTls: boolean
    /** The mechanisms of AUTH. Empty if this client cannot authenticate. */
    readonly mechanisms: readonly string[]
    /** Whether this client may speak for other clients. */
    readonly mayForward: boolean
  },
): readonly string[] {
  if (!isExtended) return [server.name]
  const extensions = ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'ENHANCEDSTATUSCODES']
  if (server.offersTls) extensions.push('STARTTLS')
  if (server.mechanisms.length > 0) extensions.push(`AUTH ${server.mechanisms.join(' ')}`)
  return [server.name, ...extensions, `SIZE ${server.maxSize}`, ...(server.mayForward ? forwardingLines : [])]
}
