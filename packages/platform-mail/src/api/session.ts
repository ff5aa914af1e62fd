import type { Socket } from 'node:net'
import { clientNetwork, type UsageLimits } from '@signalbox/platform-runtime/listener'
import { serverGreeting } from './commands/hello.ts'
import { type CommandContext, type Connection, smtpCommands } from './commands/smtp-commands.ts'
import type { Bounds } from './connections/bounds.ts'
import { type Peer, tooManyConnections } from './connections/connection-problem.ts'
import type { TlsUpgrade } from './connections/tls-upgrade.ts'
import { type Input, wireOf } from './connections/wire.ts'
import { cutOff, mailTransfer, type TransferContext } from './data/mail-transfer.ts'
import { linesOf, type Reply, stopping } from './reply.ts'

/** The parts that the sessions of a listener share. */
export interface SessionContext extends TransferContext, CommandContext {
  readonly bounds: Bounds
  readonly isTrusted: (address: string) => boolean
  /** The usage limits for client addresses that are not trusted. Undefined if there are no limits. */
  readonly usage: UsageLimits | undefined
  /** Whether TLS begins with the first byte. */
  readonly implicitTls: boolean
  readonly closed: (session: Session) => void
  /** Returns the reply that ends a session whose client now has another address, which may have too many connections. */
  readonly readmit: (session: Session) => Reply | undefined
}

/** The server's side of one connection. */
export interface Session extends Peer {
  /**
   * Greets the client and serves it, or refuses the connection with a reply. With implicit TLS, a refused connection is closed
   * without a reply, because the client does not expect one in plain text.
   */
  readonly start: (refusal: Reply | undefined) => void
  /** Ends the session because the server stops. If a mail is being stored, the session ends after that. */
  readonly dismiss: () => void
  /** Ends the session to make room for a new connection. */
  readonly giveWay: () => void
  /** Closes the connection without a reply. */
  readonly destroy: () => void
}

/** The connection of a session, which changes it. */
type OwnConnection = { -readonly [Field in keyof Connection]: Connection[Field] } & {
  /** Ends the connection after replies. */
  readonly end: (...replies: readonly Reply[]) => void
}

/**
 * The time limits in milliseconds for a client to close the connection after the last reply, in normal operation and
 * while the server stops.
 */
const [closeLimit, stopLimit] = [5000, 500]

/** The reply to a new connection of a client that had too many refused recipients. */
const tooManyUnknown: Reply = {
  code: 421,
  text: '4.7.0 Too many unknown recipients from your address, try again later',
}

/** The replies to input that is not a command. */
const lastReplies: { readonly [Kind in Exclude<Input['kind'], 'line'>]: readonly Reply[] } = {
  end: [],
  'cut-off': [cutOff],
  'too-long': [{ code: 500, text: '5.5.6 Line too long' }],
  'tls-handshake': [{ code: 500, text: '5.5.2 Send STARTTLS before TLS' }],
}

/**
 * Serves a connection: RFC 5321, or RFC 2033, with PIPELINING, 8BITMIME, SMTPUTF8, ENHANCEDSTATUSCODES, SIZE, STARTTLS and AUTH. See
 * docs/decisions/mail.md#mail-over-smtp.
 */
export function smtpSession(rawSocket: Socket, context: SessionContext): Session {
  const { settings, bounds, clock } = context
  const clientAt = (address: string) => {
    const isTrusted = context.isTrusted(address)
    // Trusted clients pass on mail from many other clients, so the usage limits do not apply to them.
    const usage = isTrusted ? undefined : context.usage
    return { address, network: clientNetwork(address), isTrusted, usage }
  }
  const connection: OwnConnection = {
    client: clientAt((rawSocket.remoteAddress ?? '').replace(/^::ffff:/i, '')),
    socket: rawSocket,
    wire: wireOf(rawSocket, bounds.commandLine),
    isSecure: false,
    isClosing: false,
    changeAddress(address) {
      connection.client = clientAt(address)
      return context.readmit(session)
    },
    mailReceived() {
      lastProgress = clock.now()
      expectProgress()
    },
    end(...replies) {
      if (connection.isClosing) return
      connection.isClosing = true
      // No reply can be sent during a TLS handshake.
      if (isUpgrading) return void rawSocket.destroy()
      const { socket, wire } = connection
      if (replies.length > 0) void wire.write(linesOf(replies))
      wire.end()
      // More bytes from the client extend the idle timeout, but not this limit.
      const limit = setTimeout(() => socket.destroy(), context.isStopping() ? stopLimit : closeLimit).unref()
      // Otherwise the timer keeps the whole session in memory.
      socket.once('close', () => clearTimeout(limit))
    },
  }
  const { end } = connection
  let isUpgrading = false
  let lastProgress = clock.now()
  let cancelProgress = () => {}

  const expectProgress = () => {
    cancelProgress()
    // The client might have disconnected while its mail was stored.
    if (connection.isClosing) return
    commands.restartCount()
    cancelProgress = clock.after(bounds.progress, () => {
      // The transfer of a mail has a separate time limit.
      if (transfer.isReceiving) expectProgress()
      else end({ code: 421, text: '4.4.2 No mail received for too long, try again later' })
    })
  }

  const limitIdleTime = () => {
    const { socket } = connection
    socket.setTimeout(bounds.idle, () => {
      // While its mail is being stored, the client is waiting for the server.
      if (transfer.isStoring) limitIdleTime()
      else if (connection.isClosing) socket.destroy()
      else end({ code: 421, text: '4.4.2 Timeout, closing the connection' })
    })
  }

  const transfer = mailTransfer(context, connection)
  const commands = smtpCommands(context, connection, transfer)

  /** Upgrades the connection to TLS. Nothing that the client sent before the handshake counts (RFC 3207, 4.2). */
  const makeSecure = async (upgrade: TlsUpgrade): Promise<boolean> => {
    isUpgrading = true
    connection.wire.detach()
    connection.socket.setTimeout(0)
    const secured = await upgrade(rawSocket)
    isUpgrading = false
    if (secured === undefined) return false
    if (connection.isClosing) {
      secured.destroy()
      return false
    }
    secured.on('error', () => {})
    connection.socket = secured
    connection.wire = wireOf(secured, bounds.commandLine)
    connection.isSecure = true
    commands.forget()
    limitIdleTime()
    return true
  }

  const serve = async () => {
    if (context.implicitTls && !(await makeSecure(context.upgrade!))) return
    await connection.wire.write(linesOf([serverGreeting(settings.name, context.protocol)]))
    while (!connection.isClosing) {
      const input = await connection.wire.readLine()
      if (connection.isClosing) return
      if (input.kind !== 'line') return end(...lastReplies[input.kind])
      const replies = await commands.repliesTo(input.line)
      const last = replies?.at(-1)
      if (replies === undefined || last === undefined || connection.isClosing) return
      if (last.code === 421 || last.closes === true) return end(...replies)
      if (context.isStopping()) return end(...replies, stopping)
      await connection.wire.write(linesOf(replies))
      const { upgrade } = context
      if (last.startsTls && upgrade !== undefined && !(await makeSecure(upgrade))) return
    }
  }

  const session: Session = {
    get network() {
      return connection.client.network
    },
    get isTrusted() {
      return connection.client.isTrusted
    },
    get isClosing() {
      return connection.isClosing
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
      const reply = refusal ?? (commands.hasTooManyRefused() ? tooManyUnknown : undefined)
      if (reply !== undefined) return context.implicitTls ? void rawSocket.destroy() : end(reply)
      expectProgress()
      void serve()
    },
    dismiss() {
      if (!transfer.isStoring) end(stopping)
    },
    giveWay: () => end(tooManyConnections),
    destroy: () => void connection.socket.destroy(),
  }
  // Errors of the connection are not reported, because they only show that the client disconnected.
  rawSocket.on('error', () => {})
  rawSocket.on('close', () => {
    connection.isClosing = true
    cancelProgress()
    context.closed(session)
  })
  return session
}
