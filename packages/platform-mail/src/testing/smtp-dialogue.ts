import { connect, type Socket } from 'node:net'

/** A reply of the server. */
interface SmtpReply {
  readonly code: number
  /** The text without the code. Line feeds separate the lines of a long reply. */
  readonly text: string
}

/** A client that sends exactly the given bytes. */
export interface SmtpDialogue extends AsyncDisposable {
  readonly socket: Socket
  /** Sends bytes. */
  readonly send: (bytes: string | Buffer) => void
  /** Reads the next reply. Resolves to undefined if the server has closed the connection. */
  readonly next: () => Promise<SmtpReply | undefined>
  /** Sends a line, and waits for its reply, such as `250 2.1.0 Sender accepted`. */
  readonly say: (line: string | Buffer) => Promise<string | undefined>
  /** Half-closes the connection, and waits for all replies until the server closes it. */
  readonly finish: () => Promise<readonly SmtpReply[]>
}

/**
 * Connects, and waits for the greeting.
 *
 * @param localAddress a loopback address, so that a test can have clients with different addresses
 */
export async function smtpDialogue(
  url: string,
  greeting = true,
  localAddress?: string,
): Promise<SmtpDialogue> {
  const { hostname, port } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const socket = connect({ port: Number(port), host, ...(localAddress && { localAddress }) })
  const dialogue = dialogueOver(socket)
  if (greeting) await dialogue.next()
  return dialogue
}

/** Returns a dialogue over a connected socket. */
export function dialogueOver(socket: Socket): SmtpDialogue {
  const replies: SmtpReply[] = []
  let [rest, over] = ['', false]
  let wake = () => {}
  socket.setNoDelay(true)
  socket.on('data', data => {
    rest += data.toString()
    for (;;) {
      const found = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?: [^\n]*)?\r\n/.exec(rest)
      if (found === null) break
      rest = rest.slice(found[0].length)
      replies.push({ code: Number(found[1]), text: found[0].replace(/^\d{3}[- ]|\r/gm, '').trimEnd() })
    }
    wake()
  })
  socket.on('error', () => {})
  const end = () => {
    over = true
    wake()
  }
  socket.on('end', end).on('close', end)
  const next = async () => {
    while (replies.length === 0 && !over) await new Promise<void>(resolve => (wake = resolve))
    return replies.shift()
  }
  return {
    socket,
    send: bytes => void socket.write(bytes),
    next,
    async say(line) {
      socket.write(Buffer.concat([Buffer.from(line), Buffer.from('\r\n')]))
      const reply = await next()
      return reply && `${reply.code} ${reply.text}`
    },
    async finish() {
      socket.end()
      const all: SmtpReply[] = []
      for (let reply = await next(); reply !== undefined; reply = await next()) all.push(reply)
      if (rest !== '') throw new Error(`The server ended with a malformed reply: ${JSON.stringify(rest)}`)
      return all
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
    },
  }
}

/** Sends all lines at once. Returns the replies after the greeting, such as `250 2.1.0 Sender accepted`. */
export async function smtpReplies(
  url: string,
  ...lines: readonly (string | Buffer)[]
): Promise<readonly string[]> {
  await using dialogue = await smtpDialogue(url)
  dialogue.send(Buffer.concat(lines.flatMap(line => [Buffer.from(line), Buffer.from('\r\n')])))
  return (await dialogue.finish()).map(({ code, text }) => `${code} ${text}`)
}
