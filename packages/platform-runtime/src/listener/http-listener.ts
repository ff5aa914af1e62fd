import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { TlsFiles } from '../fields/tls-files.ts'
import { backlog } from './limit-connections.ts'
import { listenError } from './listen-error.ts'
import { listenUrl } from './listen-url.ts'
import type { ReloadContext } from './own-certificates.ts'
import { type ServiceOptions, serviceServer } from './service-server.ts'
import { withTls } from './with-tls.ts'

/** A listener over HTTP, or over HTTPS with a certificate. */
export interface HttpListener {
  /** Starts listening. Resolves with the URL. */
  readonly start: () => Promise<string>
  /** Stops accepting requests. Running requests have `grace` milliseconds to finish. */
  readonly stop: (grace: number) => Promise<void>
}

/** Where a listener listens, and how it is named in errors. */
interface HttpListenerPlace {
  /** The name of the listener, such as `The Invoke API`. */
  readonly what: string
  /** The configuration key of its port. */
  readonly key: string
  readonly port: number
  readonly host: string
  readonly tls: TlsFiles | undefined
}

/** Returns a listener of a service. It stops when the response to each running request is sent or given up. */
export function httpListener(
  { what, key, port, host, tls }: HttpListenerPlace,
  options: ServiceOptions,
  { clock, notice }: Required<Pick<ReloadContext, 'clock' | 'notice'>>,
  serve: RequestListener,
): HttpListener {
  /** The number of requests without a response. */
  let open = 0
  let onIdle = () => {}
  const counted = (request: IncomingMessage, response: ServerResponse) => {
    open++
    response.once('close', () => {
      open--
      if (open === 0) onIdle()
    })
    serve(request, response)
  }
  const server = serviceServer(options, counted)
  const front = withTls(server, tls, undefined, { clock, notice })
  return {
    start: () =>
      new Promise((resolve, reject) => {
        front.once('error', error => reject(listenError(what, key, { port, host }, error)))
        front.listen(port, host, backlog, () =>
          resolve(listenUrl(tls === undefined ? 'http' : 'https', front)),
        )
      }),
    async stop(grace) {
      if (!front.listening) return
      const closed = new Promise<void>(resolve => front.close(() => resolve()))
      server.closeIdleConnections()
      if (open > 0)
        await new Promise<void>(resolve => {
          const cancel = clock.after(grace, resolve)
          onIdle = () => {
            cancel()
            resolve()
          }
        })
      server.closeAllConnections()
      await closed
    },
  }
}
