import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer } from '../http.ts'
import { isOwnHost } from '../own-host.ts'
import { limitConnections } from '../sources/limit-connections.ts'
import type { Source } from '../sources/source.ts'
import { inTurn } from '../sources/turns.ts'
import { unavailablePort } from '../sources/unavailable-port.ts'

/** The control address of a box. */
export interface Control extends Source {
  /** Where functions on this machine reach it; to be asked for after the start. */
  readonly url: () => string
}

/**
 * Answers `GET /mail/{id}` with the mail as it came. Nobody is authenticated, which is why it is for this machine
 * unless told otherwise, and why what a browser asks is refused: pages of strangers run on this machine too.
 *
 * @param fetchMail rejects while there is nobody to ask
 */
export function control(
  { port, host }: { readonly port: number; readonly host: string },
  fetchMail: (id: string) => Promise<Buffer | undefined>,
): Control {
  let url = ''
  const serve = inTurn((request, response) => {
    void answerTo(request, host, fetchMail).then(answer => send(request, response, answer))
  })
  const server = createServer({ requestTimeout: 60_000 }, serve)
  limitConnections(server)
  return {
    name: 'control',
    url: () => url,
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', error => reject(unavailablePort('The control address', { port, host }, error)))
        server.listen(port, host, () => {
          const { address, port: actual, family } = server.address() as AddressInfo
          const name = family === 'IPv6' ? `[${address}]` : address
          const near = address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '[::1]' : name
          url = `http://${near}:${actual}`
          resolve({ source: 'control', url: `http://${name}:${actual}` })
        })
      }),
    stop: () =>
      new Promise(resolve => {
        if (!server.listening) return resolve()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Answer {
  readonly status: number
  readonly body: Buffer | string
  readonly headers?: { readonly [name: string]: string }
}

async function answerTo(
  { headers, method, url = '' }: IncomingMessage,
  host: string,
  fetchMail: (id: string) => Promise<Buffer | undefined>,
): Promise<Answer> {
  if (!isOwnHost(headers.host ?? '', host))
    return refusal(400, 'The Host header has to be a name of this machine.')
  if (headers.origin !== undefined || !['none', undefined].includes(headers['sec-fetch-site'] as string))
    return refusal(403, 'Web pages may not use the control address.')
  const id = /^\/mail\/([^/?]+)$/.exec(url)?.[1]
  if (id === undefined) return refusal(404, 'There is only GET /mail/{id}.')
  if (method !== 'GET' && method !== 'HEAD')
    return { ...refusal(405, 'Mails can only be read.'), headers: { allow: 'GET, HEAD' } }
  try {
    const raw = await fetchMail(decodeURIComponent(id))
    if (raw === undefined) return refusal(404, 'There is no mail of this id, or not any more.')
    return { status: 200, body: raw, headers: { 'content-type': 'message/rfc822' } }
  } catch (error) {
    if (error instanceof URIError) return refusal(404, 'There is no mail of this id.')
    return refusal(503, 'The mails cannot be read at the moment.')
  }
}

function refusal(status: number, text: string): Answer {
  return { status, body: `${text}\n`, headers: { 'content-type': 'text/plain; charset=utf-8' } }
}

function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, body, headers }: Answer,
): void {
  response.writeHead(status, {
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    // Whatever a stranger has written stays mail, even where somebody opens it in a browser.
    'x-content-type-options': 'nosniff',
    'content-disposition': 'attachment',
    ...headers,
  })
  response.end(method === 'HEAD' ? undefined : body)
}
