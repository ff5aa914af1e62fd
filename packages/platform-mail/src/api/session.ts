import type { Socket } from 'node:net'
import type { Identity } from '@signalbox/platform-runtime/access'
import { clientNetwork, type UsageLimits } from '@signalbox/platform-runtime/listener'
import type { MailSettings } from '../config/mail-settings.ts'
import type { Authenticator } from './authentication/authenticator.ts'
import { newEnvelope } from './commands/envelope.ts'
import { type Greeting, helloLines, readHello } from './commands/hello.ts'
import { lineProblem } from './commands/line-problem.ts'
import type { RefusedRecipients } from './commands/refused-recipients.ts'
import type { Bounds } from './connections/bounds.ts'
import { type Peer, tooManyConnections } from './connections/connection-problem.ts'
import type { TlsUpgrade } from './connections/tls-upgrade.ts'
import { isThisMachine } from './connections/trusted-clients.ts'
import { type Input, wireOf } from './connections/wire.ts'
import { cutOff, mailTransfer, type TransferContext } from './data/mail-transfer.ts'
import { type Reply, replyLines } from './reply.ts'

/** The parts that the sessions of a listener share. */
export interface SessionContext extends TransferContext {
  readonly settings: MailSettings
  readonly bounds: Bounds
  readonly isTrusted: (address: string) => boolean
  readonly isStopping: () => boolean
  readonly refusedRecipients: RefusedRecipients
  /** What addresses may send that are not trusted. Undefined for no limits. */
  readonly usage: UsageLimits | undefined
  /** Undefined without a certificate. */
  readonly upgrade: TlsUpgrade | undefined
  /** Undefined when clients cannot authenticate. */
  readonly authenticator: Authenticator | undefined
  /** Whether clients have to authenticate before they send mail. */
  readonly requiresIdentity: boolean
  readonly closed: (session: Session) => void
}

/** The server's side of one connection. */
export interface Session extends Peer {
  /** Greets the client and serves it, or refuses the connection with a reply. */
  readonly start: (refusal: Reply | undefined) => void
  /** Ends the session because the server stops. First waits until a mail that is being stored is complete. */
  readonly dismiss: () => void
  /** Ends the session to make room for another. */
  readonly giveWay: () => void
  /** Closes the connection without a reply. */
  readonly destroy: () => void
}

function tooManyMails(seconds: number): Reply {
  return { code: 450, text: `4.7.1 Too many mails, try again after ${seconds} seconds` }
}

/** Milliseconds that a client has to close its side after the last reply, and when the server stops. */
const [closeLimit, stopLimit] = [5000, 500]

const stopping: Reply = { code: 421, text: '4.3.2 Server is stopping, try again later' }
/** The replies to input that is not a command. */
const lastReplies: { readonly [Kind in Exclude<Input['kind'], 'line'>]: readonly Reply[] } = {
  end: [],
  'cut-off': [cutOff],
  'too-long': [{ code: 500, text: '5.5.6 Line too long' }],
  'tls-handshake': [{ code: 500, text: '5.5.2 Send STARTTLS before TLS' }],
}

/**
 * Serves a connection: RFC 5321 with PIPELINING, 8BITMIME, SMTPUTF8, ENHANCEDSTATUSCODES, SIZE, STARTTLS and AUTH. See
 * docs/decisions/mail-over-smtp.md.
 */
export function smtpSession(rawSocket: Socket, context: SessionContext): Session {
  const { settings, bounds, clock } = context
  const remoteAddress = (rawSocket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  const isTrusted = context.isTrusted(remoteAddress)
  const network = clientNetwork(remoteAddress)
  // Trusted clients pass on the mail of many others.
  const usage = isTrusted ? undefined : context.usage
  const openedAt = clock.now()
  let socket = rawSocket
  let wire = wireOf(socket, bounds.commandLine)
  let isSecure = false
  let isUpgrading = false
  let isClosing = false
  let greeting: Greeting | undefined
  let identity: Identity | undefined
  let failedAuthentications = 0
  let refusedCount = 0
  let unrecognizedCommands = 0
  /** The number of commands since the last mail that do not belong to the next mail. */
  let idleCommands = 0
  let lastProgress = openedAt
  let cancelProgress = () => {}

  const end = (...replies: readonly Reply[]) => {
    if (isClosing) return
    isClosing = true
    // During a handshake, no reply can be written.
    if (isUpgrading) return void rawSocket.destroy()
    for (const { code, text } of replies) void wire.write(replyLines(code, [text]))
    wire.end()
    // More bytes from the client extend the idle timeout, but not this limit.
    setTimeout(() => socket.destroy(), context.isStopping() ? stopLimit : closeLimit).unref()
  }

  const expectProgress = () => {
    cancelProgress()
    // The client may have left while its mail was stored.
    if (isClosing) return
    idleCommands = 0
    cancelProgress = clock.after(bounds.progress, () => {
      // The transfer of a mail has its own time limit.
      if (transfer.isReceiving) expectProgress()
      else end({ code: 421, text: '4.4.2 No mail received for too long, try again later' })
    })
  }

  const limitIdleTime = () => {
    socket.setTimeout(bounds.idle, () => {
      // The client is waiting for the server.
      if (transfer.isStoring) limitIdleTime()
      else if (isClosing) socket.destroy()
      else end({ code: 421, text: '4.4.2 Timeout, closing the connection' })
    })
  }

  const hasTooManyRefused = () => !isTrusted && context.refusedRecipients.isOver(network)

  const envelope = newEnvelope(
    settings,
    () => isTrusted || identity !== undefined,
    () => idleCommands--,
  )
  const transfer = mailTransfer(context, { isClosing: () => isClosing, end })

  const hello = (line: Buffer, name: 'EHLO' | 'HELO'): Reply | readonly string[] => {
    const read = readHello(line, name)
    if ('code' in read) return read
    greeting = read
    envelope.reset()
    const offersTls = context.upgrade !== undefined && !isSecure
    return helloLines(greeting, { ...settings, offersTls, offersAuthentication: mayAuthenticate() })
  }

  // A password must not cross a network in plain text.
  const mayAuthenticate = () =>
    context.authenticator !== undefined && (isSecure || isThisMachine(remoteAddress))

  const authenticate = async (line: Buffer): Promise<Reply | undefined> => {
    const { authenticator } = context
    if (authenticator === undefined) return { code: 502, text: '5.5.1 Command not implemented' }
    if (!mayAuthenticate()) return { code: 538, text: '5.7.11 Authentication needs TLS: send STARTTLS first' }
    if (identity !== undefined) return { code: 503, text: '5.5.1 Already authenticated' }
    if (greeting?.isExtended !== true) return { code: 503, text: '5.5.1 Send EHLO first' }
    if (!envelope.isEmpty()) return { code: 503, text: '5.5.1 A mail has begun' }
    const client = { wire, network, address: remoteAddress, failures: failedAuthentications }
    const found = await authenticator.authenticate(line, client)
    if (isClosing) return undefined
    if ('code' in found) {
      if (found.code === 535) failedAuthentications++
      return found
    }
    identity = found
    return { code: 235, text: '2.7.0 Authenticated' }
  }

  const mailFrom = (line: Buffer): Reply => {
    if (clock.now() - openedAt >= bounds.session)
      return { code: 421, text: '4.7.0 Connection open for too long, connect again' }
    if (context.requiresIdentity && identity === undefined)
      return {
        code: 530,
        text: mayAuthenticate() ? '5.7.0 Authentication required' : '5.7.0 Send STARTTLS first',
      }
    const allowed = identity
    const reply = envelope.setSender(line, sender => {
      const refusal = allowed && context.authenticator!.refuseSender(allowed, sender, remoteAddress)
      if (refusal !== undefined) return refusal
      const delay = Math.ceil((usage?.delay(network) ?? 0) / 1000)
      const seconds = delay === 0 && allowed !== undefined ? allowed.admit(0) : delay
      return seconds > 0 ? tooManyMails(seconds) : undefined
    })
    if (reply.code === 250) usage?.useRequest(network)
    return reply
  }

  const recipientTo = (line: Buffer): Reply => {
    const reply = envelope.addRecipient(line)
    if (reply.code !== 550 || isTrusted) return reply
    context.refusedRecipients.add(network)
    refusedCount++
    return refusedCount > bounds.refusedRecipients || hasTooManyRefused()
      ? { code: 421, text: '4.7.0 Too many unknown recipients, try again later' }
      : reply
  }

  /** The reply is undefined when the connection ended in the meantime. */
  const data = async (line: Buffer): Promise<Reply | undefined> => {
    if (line.toString('latin1').trim().length > 'DATA'.length)
      return { code: 501, text: '5.5.4 DATA takes no parameters' }
    const mail = envelope.complete()
    if (mail === undefined) return { code: 503, text: '5.5.1 Send RCPT first' }
    const [receiving, before] = [socket, socket.bytesRead]
    const reply = await transfer.receive(wire, {
      ...mail,
      ...{ isTrusted: isTrusted || identity !== undefined, isSecure, remoteAddress },
      isAuthenticated: identity !== undefined,
      hostname: greeting?.hostname ?? '',
      isExtended: greeting?.isExtended === true,
    })
    usage?.useBytes(network, receiving.bytesRead - before)
    identity?.useBytes(receiving.bytesRead - before)
    envelope.reset()
    unrecognizedCommands = 0
    if (reply?.code === 250) {
      lastProgress = clock.now()
      expectProgress()
    }
    return reply
  }

  const startTls = (line: Buffer): Reply => {
    if (line.toString('latin1').trim().length > 'STARTTLS'.length)
      return { code: 501, text: '5.5.4 STARTTLS takes no parameters' }
    if (isSecure) return { code: 503, text: '5.5.1 TLS is already active' }
    return { code: 220, text: '2.0.0 Ready to start TLS' }
  }

  const verify = (line: Buffer): Reply =>
    line.toString('latin1').trim().includes(' ')
      ? { code: 252, text: '2.1.5 Addresses are not verified before MAIL and RCPT' }
      : { code: 501, text: '5.5.4 Syntax: VRFY address' }

  type Handler = (line: Buffer) => Reply | readonly string[] | Promise<Reply | undefined>
  const handlers = new Map<string, Handler>([
    ['EHLO', line => hello(line, 'EHLO')],
    ['HELO', line => hello(line, 'HELO')],
    ['MAIL', mailFrom],
    ['RCPT', recipientTo],
    ['DATA', data],
    [
      'RSET',
      () => {
        envelope.reset()
        return { code: 250, text: '2.0.0 OK' }
      },
    ],
    ['NOOP', () => ({ code: 250, text: '2.0.0 OK' })],
    ['VRFY', verify],
    ['AUTH', authenticate],
    ['HELP', () => ({ code: 214, text: '2.0.0 See RFC 5321' })],
    ['QUIT', () => ({ code: 221, text: '2.0.0 Bye', closes: true })],
    ...(context.upgrade === undefined ? [] : ([['STARTTLS', startTls]] as const)),
  ])

  const replyTo = (line: Buffer): ReturnType<Handler> => {
    if (context.isStopping()) return stopping
    if (++idleCommands > bounds.idleCommands)
      return { code: 421, text: '4.7.0 Too many commands without a mail, try again later' }
    const problem = lineProblem(line)
    if (problem?.closes) return problem
    const name = line.toString('latin1').split(' ', 1)[0]!.toUpperCase()
    const handler = problem === undefined ? handlers.get(name) : undefined
    if (handler === undefined) {
      if (++unrecognizedCommands >= bounds.unrecognizedCommands)
        return { code: 421, text: '4.7.0 Too many unrecognized commands' }
      return problem ?? { code: 500, text: '5.5.2 Command not recognized' }
    }
    if (greeting === undefined && ['MAIL', 'RCPT', 'DATA'].includes(name))
      return { code: 503, text: '5.5.1 Send EHLO first' }
    return handler(line)
  }

  /** RFC 3207, 4.2: nothing that the client sent before the handshake counts. */
  const makeSecure = async (upgrade: TlsUpgrade): Promise<boolean> => {
    isUpgrading = true
    wire.detach()
    socket.setTimeout(0)
    const secured = await upgrade(rawSocket)
    isUpgrading = false
    if (secured === undefined) return false
    if (isClosing) {
      secured.destroy()
      return false
    }
    secured.on('error', () => {})
    socket = secured
    wire = wireOf(secured, bounds.commandLine)
    isSecure = true
    greeting = undefined
    identity = undefined
    envelope.reset()
    limitIdleTime()
    return true
  }

  const serve = async () => {
    await wire.write(replyLines(220, [`${settings.name} ESMTP`]))
    while (!isClosing) {
      const input = await wire.readLine()
      if (isClosing) return
      if (input.kind !== 'line') return end(...lastReplies[input.kind])
      const reply = await replyTo(input.line)
      if (reply === undefined || isClosing) return
      if (!('code' in reply)) await wire.write(replyLines(250, reply))
      else if (reply.code === 421 || reply.closes === true) return end(reply)
      else if (context.isStopping()) return end(reply, stopping)
      else {
        await wire.write(replyLines(reply.code, [reply.text]))
        const { upgrade } = context
        if (reply.code === 220 && upgrade !== undefined && !(await makeSecure(upgrade))) return
      }
    }
  }

  const session: Session = {
    network,
    isTrusted,
    get isClosing() {
      return isClosing
    },
    get isReceiving() {
      return transfer.isReceiving
    },
    get isStoring() {
      return transfer.isStoring
    },
    get lastProgress() {
      return lastProgress
    },
    start(refusal) {
      rawSocket.setNoDelay(true)
      limitIdleTime()
      if (refusal !== undefined) return end(refusal)
      if (hasTooManyRefused())
        return end({
          code: 421,
          text: '4.7.0 Too many unknown recipients from your address, try again later',
        })
      expectProgress()
      void serve()
    },
    dismiss() {
      if (!transfer.isStoring) end(stopping)
    },
    giveWay: () => end(tooManyConnections),
    destroy: () => void socket.destroy(),
  }
  // A client that disconnects needs no report.
  rawSocket.on('error', () => {})
  rawSocket.on('close', () => {
    isClosing = true
    cancelProgress()
    context.closed(session)
  })
  return session
}
