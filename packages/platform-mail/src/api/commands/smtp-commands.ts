import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Clock } from '@signalbox/core'
import type { MailClient } from '@signalbox/mail-flow/contract'
import type { Identity } from '@signalbox/platform-runtime/access'
import type { UsageLimits } from '@signalbox/platform-runtime/listener'
import type { MailSettings } from '../../config/mail-settings.ts'
import type { HourlyCounts } from '../../hourly-counts.ts'
import type { Authenticator } from '../authentication/authenticator.ts'
import type { Bounds } from '../connections/bounds.ts'
import type { TlsUpgrade } from '../connections/tls-upgrade.ts'
import type { Wire } from '../connections/wire.ts'
import type { MailTransfer } from '../data/mail-transfer.ts'
import { knownClient } from '../known-client.ts'
import type { MailProtocol } from '../protocol.ts'
import { type Reply, stopping } from '../reply.ts'
import { type CommandName, commandRules } from './command-rules.ts'
import { newEnvelope } from './envelope.ts'
import { type ForwardedClient, type ForwardingCommand, readForwarded } from './forwarded-client.ts'
import { type Greeting, helloLines, readHello, serverGreeting } from './hello.ts'
import { lineProblem } from './line-problem.ts'

/** The parts of a listener that the commands of all its sessions share. */
export interface CommandContext {
  readonly settings: MailSettings
  readonly protocol: MailProtocol
  readonly clock: Clock
  readonly bounds: Bounds
  readonly isStopping: () => boolean
  readonly refusedRecipients: HourlyCounts
  /** Upgrades a connection to TLS. Undefined if no certificate is configured. */
  readonly upgrade: TlsUpgrade | undefined
  readonly authenticator: Authenticator
  /** Whether clients have to authenticate before they send mail. */
  readonly requiresIdentity: boolean
}

/** The connection on which commands arrive. */
export interface Connection {
  /** The client. XCLIENT replaces it. */
  readonly client: {
    readonly address: string
    readonly network: string
    readonly isTrusted: boolean
    readonly usage: UsageLimits | undefined
  }
  /** Gives the client another address. Returns the reply that ends the session because of the limits of that address. */
  readonly changeAddress: (address: string) => Reply | undefined
  /** The socket. STARTTLS replaces it. */
  readonly socket: Socket
  /** Reads lines and mails from the socket. STARTTLS replaces it, too. */
  readonly wire: Wire
  readonly isSecure: boolean
  readonly isClosing: boolean
  readonly mailReceived: () => void
}

/** Replies to the commands of a session, and keeps the state between them. */
export interface SmtpCommands {
  /** Returns the replies to a command. Resolves to undefined if the connection ended in the meantime. */
  readonly repliesTo: (line: Buffer) => Promise<readonly Reply[] | undefined>
  /** Forgets all commands that came before the TLS handshake (RFC 3207, 4.2). */
  readonly forget: () => void
  /** Resets the number of commands that the client has sent without a mail. */
  readonly restartCount: () => void
  readonly hasTooManyRefused: () => boolean
}

type Replies = Reply | readonly Reply[] | undefined
type Handler = (line: Buffer) => Replies | Promise<Replies>

/** Answers the commands of one session. */
export function smtpCommands(
  context: CommandContext,
  connection: Connection,
  transfer: MailTransfer,
): SmtpCommands {
  const { settings, protocol, bounds, clock, authenticator } = context
  const isTrusted = () => connection.client.isTrusted && !isProxied
  let isProxied = false
  const openedAt = clock.now()
  let greeting: Greeting | undefined
  let identity: Identity | undefined
  let hasAuthenticated = false
  let failedAuthentications = 0
  /** What XCLIENT said about the client of this session. */
  let proxied: ForwardedClient | undefined
  /** What XFORWARD said about the client of the next mail. */
  let forwarded: ForwardedClient | undefined
  let refusedCount = 0
  let unrecognizedCommands = 0
  /** The number of commands since the last mail, not counting accepted recipients. */
  let idleCommands = 0

  /** The commands that greet the server. A client of one protocol cannot use the greeting of the other (RFC 2033, 4.1). */
  const hellos = protocol === 'lmtp' ? (['LHLO'] as const) : (['EHLO', 'HELO'] as const)

  const hasTooManyRefused = () => !isTrusted() && context.refusedRecipients.isOver(connection.client.network)

  const envelope = newEnvelope(settings, () => idleCommands--)

  const resetMail = () => {
    envelope.reset()
    forwarded = undefined
  }

  const forget = () => {
    greeting = undefined
    identity = undefined
    hasAuthenticated = false
    resetMail()
  }

  const hello = (line: Buffer, name: 'EHLO' | 'HELO' | 'LHLO'): Reply => {
    const read = readHello(line, name)
    if ('code' in read) return read
    greeting = read
    resetMail()
    const offersTls = context.upgrade !== undefined && !connection.isSecure
    const mechanisms = refuseAuthentication() === undefined ? authenticator.offered : []
    const [text = settings.name, ...more] = helloLines(greeting, {
      ...{ ...settings, offersTls, mechanisms },
      mayForward: isTrusted(),
    })
    return { code: 250, text, more }
  }

  const refuseAuthentication = () =>
    authenticator.refuse({ isSecure: connection.isSecure, address: connection.client.address })

  const authenticate = async (line: Buffer): Promise<Reply | undefined> => {
    const refusal = refuseAuthentication()
    if (refusal !== undefined) return refusal
    if (hasAuthenticated) return { code: 503, text: '5.5.1 Already authenticated' }
    if (greeting?.isExtended !== true) return { code: 503, text: `5.5.1 Send ${hellos[0]} first` }
    if (!envelope.isEmpty()) return { code: 503, text: '5.5.1 A mail has begun' }
    const client = { wire: connection.wire, ...connection.client, failures: failedAuthentications }
    const found = await authenticator.authenticate(line, client)
    if (connection.isClosing) return undefined
    if ('code' in found) {
      if (found.code === 535) failedAuthentications++
      hasAuthenticated = found.code === 235
      return found
    }
    hasAuthenticated = true
    identity = found
    return { code: 235, text: '2.7.0 Authenticated' }
  }

  const mailFrom = (line: Buffer): Reply => {
    if (clock.now() - openedAt >= bounds.session)
      return { code: 421, text: '4.7.0 Connection open for too long, connect again' }
    const allowed = identity
    const { address, network, usage } = connection.client
    const reply = envelope.setSender(line, sender => {
      const refusal = allowed && authenticator.refuseSender(allowed, sender, address)
      if (refusal !== undefined) return refusal
      const delay = Math.ceil((usage?.delay(network) ?? 0) / 1000)
      const seconds = delay === 0 && allowed !== undefined ? allowed.admit(0) : delay
      return seconds > 0 ? tooManyMails(seconds) : undefined
    })
    if (reply.code === 250) usage?.useRequest(network)
    return reply
  }

  const recipientTo = (line: Buffer): Reply => {
    const reply = envelope.addRecipient(line, isTrusted() || identity !== undefined)
    if (reply.code !== 550 || isTrusted()) return reply
    context.refusedRecipients.add(connection.client.network)
    refusedCount++
    return refusedCount > bounds.refusedRecipients || hasTooManyRefused() ? tooManyRefused : reply
  }

  /** Returns a function that checks the sender headers in a mail from an authenticated client. */
  const headCheck = () => {
    const sender = identity
    if (sender === undefined || !context.settings.checkFrom) return undefined
    return (raw: Buffer) => authenticator.refuseOriginators(sender, raw, connection.client.address)
  }

  const clientOfMail = (): MailClient => {
    if (forwarded !== undefined) return knownClient(forwarded)
    const { socket, isSecure, client } = connection
    return knownClient({
      ...{ helo: greeting?.hostname, user: identity?.name, ...proxied, address: client.address },
      // The TLS of a proxy is not that of its client.
      tls: isSecure && proxied === undefined ? tlsVersion(socket) : undefined,
    })
  }

  /** Receives a mail. The result is undefined if the connection ended in the meantime. */
  const data = async (line: Buffer): Promise<Replies> => {
    if (line.toString('latin1').trim().length > 'DATA'.length)
      return { code: 501, text: '5.5.4 DATA takes no parameters' }
    const mail = envelope.complete()
    if (mail === undefined) return { code: 503, text: '5.5.1 Send RCPT first' }
    const { socket, wire, isSecure, client } = connection
    const before = socket.bytesRead
    const replies = await transfer.receive(wire, {
      ...mail,
      protocol,
      ...{ isTrusted: isTrusted() || identity !== undefined, isSecure, remoteAddress: client.address },
      client: clientOfMail(),
      isAuthenticated: identity !== undefined,
      refuse: headCheck(),
      hostname: greeting?.hostname ?? '',
      isExtended: greeting?.isExtended === true,
    })
    client.usage?.useBytes(client.network, socket.bytesRead - before)
    identity?.useBytes(socket.bytesRead - before)
    resetMail()
    unrecognizedCommands = 0
    // A mail that a function refused, or could not decide on, was a mail.
    if (replies?.some(({ code }) => [250, 451, 550].includes(code))) connection.mailReceived()
    return replies
  }

  const startTls = (line: Buffer): Reply => {
    if (line.toString('latin1').trim().length > 'STARTTLS'.length)
      return { code: 501, text: '5.5.4 STARTTLS takes no parameters' }
    if (connection.isSecure) return { code: 503, text: '5.5.1 TLS is already active' }
    return { code: 220, text: '2.0.0 Ready to start TLS', startsTls: true }
  }

  const forward = (line: Buffer, command: ForwardingCommand): Reply => {
    if (!isTrusted()) return { code: 550, text: `5.7.0 ${command} is for trusted clients only` }
    if (!envelope.isEmpty()) return { code: 503, text: '5.5.1 A mail has begun' }
    const read = readForwarded(line, command)
    if ('code' in read) return read as Reply
    if (command === 'XFORWARD') {
      forwarded = { ...forwarded, ...read }
      return { code: 250, text: '2.0.0 OK' }
    }
    // What was said about a client does not hold for the next one.
    proxied = read.address === undefined ? { ...proxied, ...read } : read
    forget()
    const refusal = read.address === undefined ? undefined : connection.changeAddress(read.address ?? '')
    if (refusal !== undefined) return refusal
    refusedCount = 0
    return hasTooManyRefused() ? tooManyRefused : serverGreeting(settings.name, protocol)
  }

  const verify = (line: Buffer): Reply =>
    line.toString('latin1').trim().includes(' ')
      ? { code: 252, text: '2.1.5 Addresses are not verified before MAIL and RCPT' }
      : { code: 501, text: '5.5.4 Syntax: VRFY address' }

  const handlers = new Map<CommandName, Handler>([
    ...hellos.map(name => [name, line => hello(line, name)] as const satisfies [CommandName, Handler]),
    ['MAIL', mailFrom],
    ['RCPT', recipientTo],
    ['DATA', data],
    [
      'RSET',
      () => {
        resetMail()
        return { code: 250, text: '2.0.0 OK' }
      },
    ],
    ['XCLIENT', line => forward(line, 'XCLIENT')],
    ['XFORWARD', line => forward(line, 'XFORWARD')],
    ['NOOP', () => ({ code: 250, text: '2.0.0 OK' })],
    ['VRFY', verify],
    ['AUTH', authenticate],
    ['HELP', () => ({ code: 214, text: `2.0.0 See RFC ${protocol === 'lmtp' ? 2033 : 5321}` })],
    ['QUIT', () => ({ code: 221, text: '2.0.0 Bye', closes: true })],
    ...(context.upgrade === undefined ? [] : ([['STARTTLS', startTls]] as const)),
  ])

  const replyTo = (line: Buffer): Replies | Promise<Replies> => {
    if (context.isStopping()) return stopping
    if (++idleCommands > bounds.idleCommands)
      return { code: 421, text: '4.7.0 Too many commands without a mail, try again later' }
    const problem = lineProblem(line)
    if (problem?.closes) return problem
    const name = line.toString('latin1').split(' ', 1)[0]!.toUpperCase()
    const handler = problem === undefined ? handlers.get(name as CommandName) : undefined
    if (handler === undefined) {
      // A session of a proxy may come from any machine, whatever its address.
      if (name === 'PROXY') isProxied = true
      if (++unrecognizedCommands >= bounds.unrecognizedCommands)
        return { code: 421, text: '4.7.0 Too many unrecognized commands' }
      return problem ?? { code: 500, text: '5.5.2 Command not recognized' }
    }
    if (greeting === undefined && ['MAIL', 'RCPT', 'DATA'].includes(name))
      return { code: 503, text: `5.5.1 Send ${hellos[0]} first` }
    const needsIdentity = context.requiresIdentity && commandRules[name as CommandName] === 'identity'
    if (needsIdentity && identity === undefined)
      return {
        code: 530,
        text:
          refuseAuthentication() === undefined
            ? '5.7.0 Authentication required'
            : '5.7.0 Send STARTTLS first',
      }
    return handler(line)
  }

  return {
    async repliesTo(line) {
      const replies = await replyTo(line)
      return replies === undefined || !('code' in replies) ? replies : [replies]
    },
    forget,
    restartCount() {
      idleCommands = 0
    },
    hasTooManyRefused,
  }
}

/** Returns the version of TLS, such as TLSv1.3. */
function tlsVersion(socket: Socket): string | undefined {
  return (socket as Partial<TLSSocket>).getProtocol?.() ?? undefined
}

const tooManyRefused: Reply = {
  code: 421,
  text: '4.7.0 Too many unknown recipients, try again later',
}

function tooManyMails(seconds: number): Reply {
  return { code: 450, text: `4.7.1 Too many mails, try again after ${seconds} seconds` }
}
