import { type AddressInfo, createServer, type Socket } from 'node:net'
import type { Clock } from '@signalbox/core'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import type { RelaySettings } from '../config/mail-settings.ts'
import { type Relay, relay } from '../relay/relay.ts'

/** A mail for the relay. */
export const someMail = {
  from: 'ann@far.example',
  utf8: false,
  raw: Buffer.from('Subject: Hi\r\n\r\nHello\r\n'),
}
/** Returns the error that makes `smtp-server` refuse a command with this reply. */
export const no = (responseCode: number, text: string) => Object.assign(new Error(text), { responseCode })

/** Refuses recipients whose names begin with `no`, and defers recipients whose names begin with `wait`. */
const byName: NonNullable<SMTPServerOptions['onRcptTo']> = ({ address }, _session, done) =>
  done(
    address.startsWith('no')
      ? no(550, '5.1.1 No such user')
      : address.startsWith('wait')
        ? no(451, '4.2.0 Greylisted')
        : null,
  )

/** Returns the settings of a relay on this machine. */
export const relayAt = (port: number): RelaySettings => ({
  ...{ protocol: 'SMTP', host: '127.0.0.1', port, tls: 'opportunistic', ca: undefined },
  ...{ user: undefined, password: undefined, giveUp: 1 },
})

/** Starts a server of the package `smtp-server`. Returns it, and a relay that sends to it. */
export async function otherServer(
  options: SMTPServerOptions = {},
  settings: Partial<RelaySettings> = {},
  at = 0,
) {
  const taken: {
    readonly session: SMTPServerSession['envelope']
    readonly user: unknown
    readonly data: Buffer
  }[] = []
  const server = new SMTPServer({
    disableReverseLookup: true,
    authOptional: true,
    hideSTARTTLS: true,
    onRcptTo: byName,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', chunk => chunks.push(chunk))
      stream.on('end', () => {
        taken.push({ session: session.envelope, user: session.user, data: Buffer.concat(chunks) })
        done()
      })
    },
    closeTimeout: 10,
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(at, '127.0.0.1', resolve))
  const { port } = server.server.address() as AddressInfo
  const to = relay({ ...relayAt(port), ...settings }, 'box.example')
  return {
    port,
    taken,
    relay: to,
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(resolve)),
  }
}

/** Hands a mail to a relay. */
export const sendTo = (to: Relay, { from, utf8, raw }: typeof someMail, recipients: readonly string[]) =>
  to.send({ from, utf8, raw: async () => raw }, recipients)

/** Returns the results of a relay, one line for each recipient. */
export const answersOf = async (to: Relay, recipients: readonly string[], of = someMail) =>
  (await sendTo(to, of, recipients)).map(({ recipient, result, why }) => `${recipient} ${result}: ${why}`)

/** Starts a server with a custom connection handler. Returns it, and a relay that sends to it. */
export async function oddServer(
  serve: (socket: Socket) => void,
  clock?: Pick<Clock, 'after' | 'now'>,
  settings: Partial<RelaySettings> = {},
) {
  const server = createServer(socket => {
    socket.on('error', () => {})
    serve(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    relay: relay({ ...relayAt(port), ...settings }, 'box.example', clock),
    [Symbol.asyncDispose]: () => new Promise<void>(resolve => server.close(() => resolve())),
  }
}

/**
 * Starts a server that accepts everything. The test can replace the replies to some commands, where `.` stands for the
 * end of a mail. An empty reply closes the connection. `sent` returns everything that the relay sent.
 */
export async function scriptedServer(
  answers: { readonly [command: string]: string },
  settings: Partial<RelaySettings> = {},
) {
  const usual: { readonly [command: string]: string } = {
    EHLO: '250-x\r\n250 AUTH PLAIN',
    DATA: '354 Go on',
    QUIT: '221 Bye',
  }
  let sent = ''
  const odd = await oddServer(
    socket => {
      let [rest, isMail] = ['', false]
      const answer = (command: string) => {
        const text = answers[command] ?? usual[command] ?? '250 OK'
        if (text === '') return void socket.end()
        socket.write(`${text}\r\n`)
        if (command === 'DATA' && text.startsWith('354')) isMail = true
      }
      socket.write('220 x ESMTP\r\n')
      socket.on('data', data => {
        sent += data.toString('latin1')
        // The first byte of a TLS handshake is no command.
        if (data[0] === 0x16 && !isMail) return void socket.end('500 5.5.2 What?\r\n')
        rest += data.toString('latin1')
        for (let at = rest.indexOf('\r\n'); at >= 0; at = rest.indexOf('\r\n')) {
          const line = rest.slice(0, at)
          rest = rest.slice(at + 2)
          if (!isMail) answer(/^(?:MAIL FROM|RCPT TO|[A-Z]+)/.exec(line)?.[0] ?? '')
          else if (line === '.') {
            isMail = false
            answer('.')
          }
        }
      })
    },
    undefined,
    settings,
  )
  return { ...odd, sent: () => sent }
}
