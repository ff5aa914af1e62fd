import { Agent, type OutgoingHttpHeaders, request } from 'node:http'

export interface HttpAnswer {
  readonly status: number
  readonly body: string
}

export interface HttpAsked {
  readonly method?: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
  /** Whether to send the body in chunks. */
  readonly chunked?: boolean
}

/** Milliseconds after which a client gives up. */
const answerLimit = 30_000

/**
 * Returns an HTTP client that keeps its connections open, or opens a new one for each request. If the server
 * has closed an idle connection, the client tries again, as all clients do (RFC 9112, 9.3.1).
 */
export function honestHttp(url: string, keepAlive: boolean) {
  const agent = new Agent({ keepAlive, maxSockets: 1 })
  const attempt = (path: string, asked: HttpAsked): Promise<HttpAnswer> =>
    new Promise((resolve, reject) => {
      const { method = 'GET', headers = {}, body = '', chunked = false } = asked
      const length = chunked || method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body) }
      const sent = request(new URL(path, url), { agent, method, headers: { ...headers, ...length } })
      let state = 'not connected'
      const giveUp = () => sent.destroy(new Error(`no answer in ${answerLimit} ms, ${state}`))
      const cancel = setTimeout(giveUp, answerLimit)
      sent.on('socket', socket => {
        const connected = () => {
          state = sent.reusedSocket ? 'over an earlier connection' : 'over a new connection'
        }
        if (socket.connecting) socket.once('connect', connected)
        else connected()
      })
      const fail = (error: Error) => {
        clearTimeout(cancel)
        const isStale = sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET'
        if (isStale) resolve(attempt(path, asked))
        else reject(error)
      }
      sent.on('error', fail)
      sent.on('response', response => {
        let text = ''
        response.setEncoding('utf8').on('data', (data: string) => {
          text += data
        })
        response.on('error', fail)
        response.on('end', () => {
          clearTimeout(cancel)
          resolve({ status: response.statusCode ?? 0, body: text })
        })
      })
      if (chunked) for (let at = 0; at < body.length; at += 1000) sent.write(body.slice(at, at + 1000))
      sent.end(chunked ? undefined : body)
    })
  return { ask: attempt, end: () => agent.destroy() }
}
