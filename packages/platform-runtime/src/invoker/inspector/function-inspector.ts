import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** The host of every inspector. A debugger can run any code, so no other machine may reach it. */
const host = '127.0.0.1'

/** The port that debuggers try first, as with `node --inspect`. */
const firstPort = 9229

/** The number of ports that are tried before a port that the system chooses. */
const triedPorts = 100

/** The address at which debuggers attach to a function. It stays the same while instances come and go. */
export interface FunctionInspector {
  /** Listens on the first free port from 9229 on, and resolves with its URL. */
  readonly start: () => Promise<string>
  /** Disconnects all debuggers. */
  readonly stop: () => void
  readonly isAttached: () => boolean
  /** Calls the listener when the first debugger attaches and when the last one leaves. Returns the end of that. */
  readonly onChange: (listener: () => void) => () => void
}

/**
 * Passes requests and WebSocket connections of debuggers on to the inspector of the current instance, so that a debugger
 * finds the next instance where it found the last one. An open WebSocket connection is an attached debugger.
 * @param instancePort resolves with the port of the current instance's inspector, and starts an instance if none runs
 */
export function functionInspector(instancePort: () => Promise<number>): FunctionInspector {
  // An import would load the HTTP server in every platform.
  const { createServer, request: requestOf } = process.getBuiltinModule('node:http')
  const debuggers = new Set<Duplex>()
  const listeners = new Set<() => void>()
  const changed = () => {
    for (const listener of [...listeners]) listener()
  }
  const server = createServer(passOn)
  server.on('upgrade', (request, socket, head) => void attach(request, socket, head))

  return {
    async start() {
      let port = firstPort
      for (;;) {
        try {
          await listenOn(port)
          return `http://${host}:${(server.address() as AddressInfo).port}`
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || port === 0) throw error
          port = port + 1 < firstPort + triedPorts ? port + 1 : 0
        }
      }
    },
    stop() {
      server.close()
      server.closeAllConnections()
      for (const socket of debuggers) socket.destroy()
    },
    isAttached: () => debuggers.size > 0,
    onChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }

  function listenOn(port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  }

  async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fail = (error: unknown) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(503, { 'content-type': 'text/plain' }).end(`${messageOf(error)}\n`)
    }
    try {
      const { method, url, headers } = request
      // The inspector checks the Host header, and puts it into the addresses that it answers with.
      const passed = requestOf({ host, port: await instancePort(), method, path: url, headers, agent: false })
      passed.on('response', answer => {
        response.writeHead(answer.statusCode!, answer.headers)
        answer.on('error', fail).pipe(response)
      })
      request.pipe(passed.on('error', fail))
    } catch (error) {
      fail(error)
    }
  }

  async function attach(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => {})
    let instance: Socket
    try {
      instance = connect(await instancePort(), host)
    } catch (error) {
      const text = `${messageOf(error)}\n`
      socket.end(
        `HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
      )
      return
    }
    if (socket.destroyed) {
      instance.destroy()
      return
    }
    instance.on('error', () => {})
    instance.on('close', () => socket.destroy())
    socket.on('close', () => {
      instance.destroy()
      if (debuggers.delete(socket) && debuggers.size === 0) changed()
    })
    debuggers.add(socket)
    if (debuggers.size === 1) changed()
    instance.write(headOf(request))
    instance.write(head)
    socket.pipe(instance).pipe(socket)
  }
}

function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = [`${method} ${url} HTTP/1.1`]
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
