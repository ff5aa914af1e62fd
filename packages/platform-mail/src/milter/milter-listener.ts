import { chmodSync } from 'node:fs'
import { createServer } from 'node:net'
import { backlog, listenError, listenUrl, shareDescriptors } from '@signalbox/platform-runtime/listener'
import type { Intake } from '../api/data/intake.ts'
import type { MailSettings, MilterSettings } from '../config/mail-settings.ts'
import { trustedClients } from '../config/trusted-clients.ts'
import { type FilterContext, filterAnswers } from '../filter/filter-answers.ts'
import { type MilterBounds, milterBounds } from './milter-bounds.ts'
import { type MilterSession, milterSession } from './milter-session.ts'
import { removeStaleSocket } from './unix-socket.ts'

/** Answers mail servers that ask about their mail. */
export interface MilterListener {
  /** Starts the listener. Resolves with its URL, such as `milter://127.0.0.1:8891` or `unix:/path`. */
  readonly start: () => Promise<string>
  /**
   * Stops accepting connections, answers the mails that functions are deciding on, and closes all connections. Resolves
   * after that, or after `grace` milliseconds.
   */
  readonly stop: (grace: number) => Promise<void>
}

/** The parts of a milter that are not settings. */
export interface MilterListenerContext extends FilterContext {
  readonly newIntake: () => Intake
}

/** The owner and the group of the socket, such as the mail server's, may use it. */
const socketMode = 0o660

/** Returns a listener for mail servers that speak the milter protocol, such as Postfix and Sendmail. */
export function milterListener(
  settings: MailSettings & { readonly milter: MilterSettings },
  context: MilterListenerContext,
  bounds: MilterBounds = milterBounds,
): MilterListener {
  const { milter } = settings
  const sessions = new Set<MilterSession>()
  let isStopping = false
  const shared = {
    ...{ ...context, settings, bounds },
    isOwnAddress: trustedClients(milter.outboundClients),
    answer: filterAnswers(
      { mixed: settings.mixed, junkSubaddress: milter.junkSubaddress },
      context,
      'the milter',
      bounds.decision,
    ),
    closed: (session: MilterSession) => void sessions.delete(session),
  }
  /** Closes the connection that has been silent for the longest time. Its mail server tries the mail again. */
  const makeRoom = (): boolean => {
    let oldest: MilterSession | undefined
    for (const session of sessions) {
      if (!session.isDeciding && session.lastPacketAt < (oldest?.lastPacketAt ?? Number.POSITIVE_INFINITY))
        oldest = session
    }
    if (oldest === undefined) return false
    sessions.delete(oldest)
    oldest.destroy()
    return true
  }
  const hasDescriptors = shareDescriptors({ connections: () => sessions.size, makeRoom })
  const server = createServer(socket => {
    const hasRoom = sessions.size < settings.maxConnections || makeRoom()
    if (isStopping || !hasRoom || !hasDescriptors()) return void socket.destroy()
    sessions.add(milterSession(socket, shared))
  })

  const listen = (place: { readonly path: string } | { readonly port: number; readonly host: string }) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen({ ...place, backlog }, () => {
        server.off('error', reject)
        server.on('error', () => {})
        resolve()
      })
    })

  const startOnSocket = async (path: string) => {
    try {
      await removeStaleSocket(path)
      await listen({ path })
      chmodSync(path, socketMode)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new Error(
        `The milter cannot start: the socket ${path} of mail.milter.socket cannot be used (${why}).`,
        {
          cause: error,
        },
      )
    }
    return `unix:${path}`
  }

  return {
    async start() {
      const { socket, port, host } = milter
      if (socket !== undefined) return startOnSocket(socket)
      const place = { port: port!, host }
      await listen(place).catch((error: unknown) => {
        throw listenError('The milter', 'mail.milter.port', place, error as NodeJS.ErrnoException)
      })
      return listenUrl('milter', server)
    },
    stop: grace =>
      new Promise(resolve => {
        isStopping = true
        if (!server.listening) return resolve()
        const cancel = context.clock.after(grace, () => {
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
