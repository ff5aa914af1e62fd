import { createServer } from 'node:net'
import type { Access } from '@signalbox/platform-runtime/access'
import {
  backlog,
  listenError,
  listenUrl,
  shareDescriptors,
  usageLimits,
} from '@signalbox/platform-runtime/listener'
import type { MailSettings } from '../config/mail-settings.ts'
import { trustedClients } from '../config/trusted-clients.ts'
import { hourlyCounts } from '../hourly-counts.ts'
import { anyPassword } from './authentication/any-password.ts'
import { authenticator } from './authentication/authenticator.ts'
import type { CheckSender } from './check-sender.ts'
import { type Bounds, bounds as defaultBounds } from './connections/bounds.ts'
import { connectionProblem, mostExpendable, tooManyConnections } from './connections/connection-problem.ts'
import { tlsUpgrade } from './connections/tls-upgrade.ts'
import { intakes } from './data/intake.ts'
import { type Accept, type ListenerContext, takeMail } from './data/take-mail.ts'
import type { DecideBefore } from './decision.ts'
import type { MailProtocol } from './protocol.ts'
import { type Session, type SessionContext, smtpSession } from './session.ts'

/** The name of each listener, and the key of its port. */
const names = {
  mail: ['The mail listener', 'mail.port'],
  submission: ['The submission listener', 'mail.submission.port'],
  submissions: ['The submission listener with implicit TLS', 'mail.submission.implicitTlsPort'],
  lmtp: ['The LMTP listener', 'mail.lmtp.port'],
} as const

export type { Accept } from './data/take-mail.ts'
export type { IncomingMail } from './incoming-mail.ts'

export interface SmtpListener {
  /** Starts the listener. Resolves with the URL, such as `smtp://127.0.0.1:2525`. */
  readonly start: () => Promise<string>
  /**
   * Stops accepting connections, replies to mails that are being stored, and closes all connections. Resolves
   * after that, or after `grace` milliseconds.
   */
  readonly stop: (grace: number) => Promise<void>
}

/** The role of a listener, which determines how its clients authenticate. */
export interface ListenerRole {
  /** The access keys of clients. Without them, clients of this machine authenticate with any user and password. */
  readonly access?: Access | undefined
  /** Whether clients have to authenticate before they send mail. */
  readonly submission?: boolean
  /** Whether TLS begins with the first byte (RFC 8314). Requires a certificate. */
  readonly implicitTls?: boolean
  /** The protocol of the clients. Default `smtp`. */
  readonly protocol?: MailProtocol
  /** Decides on mails before the reply. Without it, no rule decides before the reply. */
  readonly decide?: DecideBefore
  /** Checks the senders of mails from clients that are neither trusted nor authenticated. */
  readonly checkSender?: CheckSender | undefined
}

/** Returns a listener that accepts mail over SMTP (RFC 5321) with the extensions that `smtpSession` lists, or LMTP (RFC 2033). */
export function smtpListener(
  settings: MailSettings,
  accept: Accept,
  { clock, newId, notice, newIntake, traces }: ListenerContext,
  bounds: Bounds = defaultBounds,
  {
    access,
    submission = false,
    implicitTls = false,
    protocol = 'smtp',
    decide,
    checkSender,
  }: ListenerRole = {},
): SmtpListener {
  const submits = implicitTls ? 'submissions' : 'submission'
  const [what, key] = names[submission ? submits : protocol === 'lmtp' ? 'lmtp' : 'mail']
  const sessions = new Set<Session>()
  let isStopping = false
  const upgrade = settings.tls && tlsUpgrade(settings.tls, { clock, notice })
  const context: SessionContext = {
    settings,
    protocol,
    bounds,
    clock,
    isTrusted: trustedClients(settings.trusted),
    isStopping: () => isStopping,
    refusedRecipients: hourlyCounts(settings.maxRefusedRecipients, clock),
    usage: settings.limits && usageLimits(settings.limits, clock),
    newIntake: newIntake ?? intakes(settings.maxSize, bounds),
    upgrade,
    implicitTls,
    authenticator: access === undefined ? anyPassword() : authenticator(access, clock),
    requiresIdentity: submission,
    take: mail => takeMail(mail, { accept, decide, checkSender, clock, newId, notice, traces, settings }),
    closed: session => sessions.delete(session),
    readmit(session) {
      const others = [...sessions].filter(each => each !== session)
      const problem = connectionProblem(session, others, settings)
      if (problem === 'drop') return tooManyConnections
      if (problem === undefined || 'code' in problem) return problem
      problem.replaces.giveWay()
      return undefined
    },
  }
  const hasDescriptors = shareDescriptors({
    connections: () => sessions.size,
    makeRoom() {
      const session = mostExpendable(sessions)
      if (session === undefined) return false
      sessions.delete(session)
      session.destroy()
      return true
    },
  })
  // A client can half-close the connection before it receives its replies.
  const server = createServer({ allowHalfOpen: true }, socket => {
    const session = smtpSession(socket, context)
    const problem = connectionProblem(session, sessions, settings)
    if (problem === 'drop' || !hasDescriptors()) return session.destroy()
    if (sessions.size >= 2 * settings.maxConnections) closeOldest(sessions)
    sessions.add(session)
    if (problem === undefined || 'code' in problem) return session.start(problem)
    problem.replaces.giveWay()
    session.start(undefined)
  })

  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', error => reject(listenError(what, key, settings, error)))
        server.on('error', () => {})
        server.listen({ port: settings.port, host: settings.host, backlog }, () => {
          resolve(listenUrl(implicitTls ? 'smtps' : protocol, server))
        })
      }),
    stop: grace =>
      new Promise(resolve => {
        isStopping = true
        upgrade?.stop()
        if (!server.listening) return resolve()
        const cancel = clock.after(grace, () => {
          for (const session of sessions) session.destroy()
        })
        server.close(() => {
          cancel()
          resolve()
        })
        for (const session of sessions) session.dismiss()
      }),
  }
}

/** Closes the oldest connection on which the last reply was already sent, but which the client has not closed. */
function closeOldest(sessions: Set<Session>): void {
  for (const session of sessions) {
    if (!session.isClosing) continue
    sessions.delete(session)
    session.destroy()
    break
  }
}
