import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/**
 * The moment at which a connection is cut, which is before the server gets a statement, or after its commit but before
 * the client gets the answer.
 */
type Cut = 'before' | 'after'

/** A proxy between platforms and a database server, which disturbs their connections. */
export interface DatabaseProxy {
  /** The URL of the server behind the proxy. */
  readonly url: string
  /** Breaks all connections and refuses new ones. */
  readonly leave: () => void
  /** Stops forwarding but closes no connection, like a network that loses all packets. */
  readonly fallSilent: () => void
  /** Accepts new connections again, and breaks those that were silent. */
  readonly comeBack: () => void
  /** Breaks the next connection that sends data. Resolves when that has happened. */
  readonly cut: (when: Cut) => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * The last bytes of an answer outside of a transaction: the message ReadyForQuery with the state `I` (idle).
 */
const idle = Buffer.from([0x5a, 0, 0, 0, 5, 0x49])

/**
 * Starts a proxy in front of the server that a URL names.
 * @param sent is called before each chunk from a client is sent to the server
 */
export async function databaseProxy(serverUrl: string, sent: () => void = () => {}): Promise<DatabaseProxy> {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  const asked: { readonly when: Cut; readonly done: () => void }[] = []
  let state: 'open' | 'away' | 'silent' = 'open'
  const endAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const proxy = createServer(client => {
    sockets.add(client)
    client.on('error', () => {}).on('close', () => sockets.delete(client))
    if (state === 'away') return void client.destroy()
    if (state === 'silent') return
    const server = connect(Number(target.port), target.hostname)
    sockets.add(server)
    server.on('error', () => {})
    const end = () => {
      sockets.delete(server)
      client.destroy()
      server.destroy()
    }
    server.on('close', end)
    client.on('close', end)
    let isReady = false
    let cutting: (typeof asked)[number] | undefined
    const cut = () => {
      end()
      cutting!.done()
    }
    client.on('data', bytes => {
      if (state === 'silent') return
      if (isReady) cutting ??= asked.shift()
      if (cutting?.when === 'before') return cut()
      sent()
      server.write(bytes)
    })
    server.on('data', bytes => {
      if (state === 'silent') return
      const isIdle = bytes.subarray(-idle.length).equals(idle)
      isReady ||= isIdle
      if (cutting !== undefined && isIdle) return cut()
      client.write(bytes)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(serverUrl)
  url.port = String((proxy.address() as { readonly port: number }).port)
  return {
    url: url.href,
    leave() {
      state = 'away'
      endAll()
    },
    fallSilent() {
      state = 'silent'
    },
    comeBack() {
      if (state === 'silent') endAll()
      state = 'open'
    },
    cut: when => new Promise(done => void asked.push({ when, done })),
    async close() {
      endAll()
      await new Promise(resolve => proxy.close(resolve))
    },
  }
}
