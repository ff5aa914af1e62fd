import type { AddressInfo, Socket } from 'node:net'
import { backlog, listenError } from '@signalbox/platform-runtime/listener'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import type { MailSettings } from '../config/mail-settings.ts'
import { type Bounds, bounds as usualBounds } from './bounds.ts'
import { connectionProblem } from './connection-problem.ts'
import { Conversation, type Desk } from './conversation.ts'
import { receiver } from './receive.ts'
import { refusedRecipients } from './refused-recipients.ts'
import { asError, type Reply } from './reply.ts'
import { type Accept, type ListenerContext, takeMail } from './take-mail.ts'
import { trustedClients } from './trusted-clients.ts'

export type { Accept, IncomingMail } from './take-mail.ts'

export interface SmtpListener {
  /** Resolves with where it listens, such as `smtp://127.0.0.1:2525`. */
  readonly start: () => Promise<string>
  /** Takes no more connections, answers what is being stored, and sends the rest away. */
  readonly stop: (grace: number) => Promise<void>
}

/** Takes mail in over SMTP: RFC 5321, with SIZE, PIPELINING, 8BITMIME, SMTPUTF8 and, given a certificate, STARTTLS. */
export function smtpListener(
  settings: MailSettings,
  accept: Accept,
  context: ListenerContext,
  bounds: Bounds = usualBounds,
): SmtpListener {
  const conversations = new Map<SMTPServerSession, Conversation>()
  let closing = false
  const desk: Desk = {
    settings,
    bounds,
    clock: context.clock,
    isTrusted: trustedClients(settings.trusted),
    isClosing: () => closing,
    refused: refusedRecipients(settings.refusedRecipientsLimit, context.clock),
  }
  const receive = receiver(settings.sizeLimit, bounds, context.clock)

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
        conversation.answered(reply)
        if (reply.code === 250) done(null, reply.text)
        else done(asError(reply))
        if (closing) conversation.dismiss()
      }
      receive(stream, {
        async whole(below) {
          // It has been told that the mail was not taken.
          if (conversation._closing) return
          conversation.isStoring = true
          const reply = await takeMail(below, conversation, accept, { ...context, name: settings.name })
          conversation.isStoring = false
          answer(reply)
        },
        refused: answer,
        endless: reply => conversation.end(reply),
      })
    },
    onClose: session => conversations.delete(session),
  })
  server.connect = (socket: Socket) => {
    const conversation = new Conversation(server, socket, desk)
    const problem = connectionProblem(conversation, conversations.values(), settings)
    if (problem === 'drop') {
      socket.on('error', () => {}).destroy()
      return
    }
    conversations.set(conversation.session, conversation)
    server.connections.add(conversation)
    // A client that goes away is nothing to report.
    conversation.on('error', () => {})
    conversation.begin(problem)
  }
  server.server.maxConnections = settings.connectionsLimit * 2

  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', error => reject(listenError('The mail listener', settings, error)))
        server.on('error', () => {})
        server.listen(settings.port, settings.host, backlog, () => {
          const { address, port, family } = server.server.address() as AddressInfo
          resolve(`smtp://${family === 'IPv6' ? `[${address}]` : address}:${port}`)
        })
      }),
    stop: grace =>
      new Promise(resolve => {
        closing = true
        if (!server.server.listening) return resolve()
        const cancel = context.clock.after(grace, () => {
          for (const conversation of conversations.values()) conversation.cut()
        })
        server.server.close(() => {
          cancel()
          resolve()
        })
        for (const conversation of conversations.values()) conversation.dismiss()
      }),
  }
}
