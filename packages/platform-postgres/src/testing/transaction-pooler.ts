import { connect, createServer, type Socket } from 'node:net'

/** A session of the server, with the bytes that the server sent when it began. */
interface ServerSession {
  readonly socket: Socket
  readonly greeting: Buffer
  /** Receives what the server sends. The flag says whether the session is outside of transactions afterwards. */
  receive: (bytes: Buffer, isIdle: boolean) => void
}

/** The first byte of a message that ends the connection. */
const terminate = 'X'

/**
 * Starts a pooler that gives each transaction any session of the server, as PgBouncer does with `pool_mode =
 * transaction`.
 */
export async function transactionPooler(serverUrl: string) {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  const idle: ServerSession[] = []

  const keep = (socket: Socket) => {
    sockets.add(socket)
    return socket.on('error', () => {}).once('close', () => sockets.delete(socket))
  }

  const open = (startup: Buffer) =>
    new Promise<ServerSession>(resolve => {
      const socket = keep(connect(Number(port), hostname))
      socket.write(startup)
      let session: ServerSession | undefined
      let rest: Buffer = Buffer.alloc(0)
      socket.on('data', bytes => {
        rest = Buffer.concat([rest, bytes])
        const end = endOfMessages(rest)
        if (end === undefined) return
        const whole = rest
        rest = Buffer.alloc(0)
        if (session !== undefined) return session.receive(whole, end === 'I')
        session = { socket, greeting: whole, receive: () => {} }
        resolve(session)
      })
    })

  const server = createServer(async client => {
    keep(client)
    let session: ServerSession | undefined
    let startup: Buffer | undefined
    let previous = Promise.resolve()
    const serve = async (bytes: Buffer) => {
      if (startup === undefined) {
        startup = bytes
        const first = idle.pop() ?? (await open(bytes))
        idle.push(first)
        client.write(first.greeting)
        return
      }
      if (bytes.toString('latin1', 0, 1) === terminate) return void client.end()
      session ??= idle.pop() ?? (await open(startup))
      const used = session
      await new Promise<void>(done => {
        used.receive = (answer, isIdle) => {
          if (isIdle) {
            session = undefined
            idle.push(used)
          }
          client.write(answer)
          done()
        }
        used.socket.write(bytes)
      })
    }
    client.on('data', bytes => {
      previous = previous.then(() => serve(bytes))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(serverUrl)
  url.port = String((server.address() as { readonly port: number }).port)
  return {
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/**
 * Returns the state of the session if the messages end with ReadyForQuery: `I` outside of transactions. Returns
 * undefined if more messages follow.
 */
function endOfMessages(bytes: Buffer): string | undefined {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const next = at + 1 + bytes.readInt32BE(at + 1)
    if (next === bytes.length && bytes[at] === 'Z'.charCodeAt(0)) return String.fromCharCode(bytes[next - 1]!)
    at = next
  }
  return undefined
}
