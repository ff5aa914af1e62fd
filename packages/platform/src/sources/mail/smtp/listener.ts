import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import type { MailSettings } from '../../../config/mail-settings.ts'
import { randomHex } from '../../../random.ts'
import type { SourceContext } from '../../source.ts'
import { headerBlock, hops } from '../message/header-lines.ts'
import { receivedLine } from '../message/received-line.ts'
import { type Bounds, bounds as usualBounds } from './bounds.ts'
import { Conversation, type Desk } from './conversation.ts'
import { receiver } from './receive.ts'
import { asError, type Reply } from './reply.ts'
import { trustedClients } from './trusted-clients.ts'

/** A mail that a client has handed over whole. */
export interface IncomingMail {
  /** Empty for the null sender. */
  readonly from: string
  /** No two the same. */
  readonly recipients: readonly string[]
  /** With this server's trace line on top. */
  readonly raw: Buffer
}

/** Resolves with the mail's id when it is on the disk. */
export type Accept = (mail: IncomingMail) => Promise<string>

export interface SmtpListener {
  /** Resolves with where it listens, such as `smtp://127.0.0.1:2525`. */
  readonly start: () => Promise<string>
  /** Takes no more connections, answers what is being stored, and sends the rest away. */
  readonly stop: (grace: number) => Promise<void>
}

/** Trace lines that a mail may have before it is taken for one that goes in circles. RFC 5321, 6.3. */
const hopsLimit = 100

/** Takes mail in over SMTP: RFC 5321, with SIZE, PIPELINING, 8BITMIME, SMTPUTF8 and, given a certificate, STARTTLS. */
export function smtpListener(
  settings: MailSettings,
  accept: Accept,
  { clock, random, notice }: Pick<SourceContext, 'clock' | 'random' | 'notice'>,
  bounds: Bounds = usualBounds,
): SmtpListener {
  const conversations = new Map<SMTPServerSession, Conversation>()
  const sockets = new Set<Socket>()
  let closing = false
  const desk: Desk = {
    settings,
    bounds,
    isTrusted: trustedClients(settings.trusted),
    isClosing: () => closing,
  }
  const receive = receiver(settings.sizeLimit, bounds)

  const store = async (conversation: Conversation, data: Buffer): Promise<Reply> => {
    if (hops(headerBlock(data)) > hopsLimit)
      return { code: 554, text: `5.4.6 The mail has come through ${hopsLimit} servers, it goes in circles` }
    const { from, recipients, utf8 } = conversation.mail
    const { openingCommand, secure, remoteAddress, hostNameAppearsAs } = conversation
    const protocol = utf8 ? 'UTF8SMTP' : openingCommand === 'EHLO' ? 'ESMTP' : 'SMTP'
    const line = receivedLine({
      helo: hostNameAppearsAs || '',
      address: remoteAddress,
      name: settings.name,
      protocol: secure ? `${protocol}S` : protocol,
      id: randomHex(random, 8),
      at: clock.now(),
    })
    try {
      const id = await accept({ from, recipients, raw: Buffer.concat([Buffer.from(line), data]) })
      return { code: 250, text: `2.0.0 Stored as ${id}` }
    } catch (error) {
      notice(`A mail could not be stored: ${error instanceof Error ? error.message : String(error)}`)
      return isFull(error)
        ? { code: 452, text: '4.3.1 There is no room for the mail, try again later' }
        : { code: 451, text: '4.3.0 The mail could not be stored, try again later' }
    }
  }

  const server = new SMTPServer({
    name: settings.name,
    heloResponse: '%s',
    size: settings.sizeLimit,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    disabledCommands: [
      ...['AUTH', 'WIZ', 'SHELL', 'KILL', 'XCLIENT', 'XFORWARD', 'LHLO'],
      ...(settings.tls === undefined ? ['STARTTLS'] : []),
    ],
    ...(settings.tls === undefined ? { hideSTARTTLS: true } : { ...settings.tls, minVersion: 'TLSv1.2' }),
    socketTimeout: bounds.idle,
    maxCommandLength: bounds.commandLine,
    // A client may say all that it has to say and close its side before the replies are there.
    allowHalfOpen: true,
    onConnect: (_session, done) => done(),
    onData(stream, session, done) {
      const conversation = conversations.get(session)!
      const answer = (reply: Reply) => {
        if (reply.code === 250) done(null, reply.text)
        else done(asError(reply))
        if (closing) conversation.dismiss()
      }
      receive(stream, {
        whole(data) {
          // It has been told that the mail was not taken.
          if (conversation._closing) return
          conversation.isStoring = true
          void store(conversation, data).then(reply => {
            conversation.isStoring = false
            answer(reply)
          })
        },
        refused: answer,
        flooded: reply => conversation.end(reply),
      })
    },
    onClose: session => conversations.delete(session),
  })
  server.connect = (socket: Socket) => {
    const conversation = new Conversation(server, socket, desk)
    conversations.set(conversation.session, conversation)
    server.connections.add(conversation)
    // A client that goes away is nothing to report.
    conversation.on('error', () => {})
    conversation.init()
  }
  server.server.maxConnections = bounds.clients * 2
  server.server.on('connection', socket => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })

  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', error => reject(unavailableAddress(settings, error)))
        server.on('error', () => {})
        server.listen(settings.port, settings.host, () => {
          const { address, port, family } = server.server.address() as AddressInfo
          resolve(`smtp://${family === 'IPv6' ? `[${address}]` : address}:${port}`)
        })
      }),
    stop: grace =>
      new Promise(resolve => {
        closing = true
        if (!server.server.listening) return resolve()
        const destroyAll = () => {
          for (const socket of sockets) socket.destroy()
        }
        const cancel = clock.after(grace, destroyAll)
        server.server.close(() => {
          cancel()
          resolve()
        })
        for (const conversation of conversations.values()) conversation.dismiss()
      }),
  }
}

function isFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { readonly code?: unknown; readonly errcode?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT' || (code === 'ERR_SQLITE_ERROR' && errcode === sqliteFull)
}

const sqliteFull = 13

function unavailableAddress({ host, port }: MailSettings, error: NodeJS.ErrnoException): Error {
  const why =
    error.code === 'EADDRINUSE'
      ? 'is in use'
      : error.code === 'EACCES'
        ? 'is not permitted'
        : `cannot be listened on (${error.message})`
  return new Error(`The mail listener cannot start: port ${port} of ${host} ${why}.`, { cause: error })
}
