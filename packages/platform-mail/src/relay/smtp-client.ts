import type { Socket } from 'node:net'
import { wireData } from './wire-data.ts'

/** The reply of a server. */
export interface ServerReply {
  readonly code: number
  /** All lines as received, including the code. */
  readonly text: string
}

/** The error when a relay does not accept a mail. */
export interface RelayError extends Error {
  /** The reply with which the relay refused the mail. Undefined if the relay did not reply. */
  readonly reply?: ServerReply
  /** The command to which the relay replied. */
  readonly command?: string
}

/** The client's side of an SMTP connection. See docs/decisions/mail.md#smtp-of-our-own. */
export interface SmtpClient {
  /** Reads the next reply. Rejects when it is malformed, and when the connection ends. */
  readonly read: () => Promise<ServerReply>
  /** Sends a line and reads the reply. */
  readonly send: (line: string) => Promise<ServerReply>
  /** Sends the content of a mail after the reply to DATA, and reads the reply to the content. */
  readonly sendData: (raw: Buffer) => Promise<ServerReply>
  /** Stops reading, so that TLS can use the socket. Throws when unread replies are left. */
  readonly detach: () => void
}

/** The maximum number of characters of a reply. */
const longestReply = 64 * 1024

export function smtpClient(socket: Socket): SmtpClient {
  let rest = ''
  let lines: string[] = []
  /** The number of characters in `lines`. */
  let length = 0
  const replies: ServerReply[] = []
  let failure: Error | undefined
  let arrived = () => {}

  const fail = (error: Error) => {
    failure ??= error
    arrived()
  }

  const addLine = (line: string) => {
    if (line === '' && lines.length === 0) return
    lines.push(Buffer.from(line, 'latin1').toString())
    const code = lines[0]!.slice(0, 3)
    // After a malformed reply, it is unclear which reply belongs to which command.
    if (!/^[2-5]\d\d$/.test(code) || !line.startsWith(code) || !['', ' ', '-'].includes(line[3] ?? ''))
      return fail(new Error(`it sent a malformed reply: ${lines.join('\n')}`))
    length += line.length
    if (length > longestReply) return fail(new Error('it sent a reply that is too long'))
    if (line[3] === '-') return
    replies.push({ code: Number(code), text: lines.join('\n') })
    lines = []
    length = 0
    arrived()
  }

  const onData = (chunk: Buffer) => {
    rest += chunk.toString('latin1')
    for (let end = rest.indexOf('\n'); end >= 0 && failure === undefined; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end).replace(/\r$/, '')
      rest = rest.slice(end + 1)
      addLine(line)
    }
    if (rest.length > longestReply) fail(new Error('it sent a line without an end'))
  }
  const onEnd = () => fail(new Error('the connection was closed'))
  socket.on('data', onData).on('error', fail).on('end', onEnd).on('close', onEnd)

  /** Refuses a reply that was there before its command. Only a relay that closes the connection says so at any time. */
  const expectNoReply = () => {
    const early = replies.find(({ code }) => code !== 421)
    if (early !== undefined) throw new Error(`it sent a reply without a command: ${early.text}`)
  }

  const read = async (): Promise<ServerReply> => {
    while (replies.length === 0 && failure === undefined)
      await new Promise<void>(resolve => {
        arrived = resolve
      })
    const reply = replies.shift()
    if (reply === undefined) throw failure
    return reply
  }

  const write = async (bytes: string | Buffer) => {
    if (failure !== undefined || socket.write(bytes)) return
    await new Promise<void>(resolve => {
      const go = () => {
        socket.off('drain', go).off('close', go)
        resolve()
      }
      socket.on('drain', go).on('close', go)
    })
  }

  return {
    read,

    async send(line) {
      expectNoReply()
      await write(`${line}\r\n`)
      return read()
    },

    async sendData(raw) {
      expectNoReply()
      for (const piece of wireData(raw)) await write(piece)
      return read()
    },

    detach() {
      socket.off('data', onData).off('end', onEnd).off('close', onEnd)
      // An attacker on the network could have inserted these bytes, which would then be read within TLS.
      if (rest !== '' || lines.length > 0 || replies.length > 0)
        throw new Error('it sent more than a reply to STARTTLS')
    },
  }
}

/** Returns the error for a reply that refuses a command. */
export function refusedBy(reply: ServerReply, command: string): RelayError {
  return Object.assign(new Error(reply.text), { reply, command })
}
