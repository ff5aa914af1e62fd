import { connect } from 'node:net'

/** A response exactly as it was received. */
export interface RawResponse {
  readonly statusLine: string
  readonly status: number
  /** The headers in order, with names as they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

/** Everything that arrived over one connection. */
export interface Talk {
  readonly responses: readonly RawResponse[]
  /** Whether the server closed the connection first. */
  readonly closed: boolean
  /** The bytes after the last whole response. */
  readonly rest: string
}

/**
 * Opens a plain TCP connection and sends each chunk unchanged. Listens until the expected number of responses has
 * arrived or the server closes the connection. HEAD requests are given by position, because their responses have no
 * body. With `halfClose`, the client ends its side after the last chunk.
 */
export function talk(
  url: string,
  chunks: string | Buffer | readonly (string | Buffer)[],
  {
    responses: expected = 1,
    heads = [],
    halfClose = false,
  }: { readonly responses?: number; readonly heads?: readonly number[]; readonly halfClose?: boolean } = {},
): Promise<Talk> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0)
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: halfClose })
    const finish = (closed: boolean) => {
      const { responses, rest } = parseResponses(received, heads)
      clearTimeout(timer)
      socket.destroy()
      resolve({ responses, rest, closed })
    }
    const timer = setTimeout(() => finish(false), 60_000)
    socket.on('data', data => {
      timer.refresh()
      received = Buffer.concat([received, data])
      // After the last response, waits a moment for the server to close.
      if (parseResponses(received, heads).responses.length >= expected) setTimeout(() => finish(false), 30)
    })
    socket.on('end', () => finish(true))
    socket.on('close', () => finish(true))
    socket.on('error', error => {
      if (received.length === 0 && (error as NodeJS.ErrnoException).code !== 'EPIPE') reject(error)
    })
    for (const chunk of typeof chunks === 'string' || Buffer.isBuffer(chunks) ? [chunks] : chunks)
      socket.write(chunk)
    if (halfClose) socket.end()
  })
}

/** Splits the received bytes into responses. */
function parseResponses(
  bytes: Buffer,
  heads: readonly number[] = [],
): { readonly responses: readonly RawResponse[]; readonly rest: string } {
  const responses: RawResponse[] = []
  let at = 0
  for (;;) {
    const end = bytes.indexOf('\r\n\r\n', at)
    if (end < 0) break
    const [statusLine = '', ...lines] = bytes.subarray(at, end).toString('latin1').split('\r\n')
    const headers = lines.map((line): [string, string] => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    })
    const length = heads.includes(responses.length) ? 0 : Number(headerOf({ headers }, 'content-length') ?? 0)
    if (bytes.length < end + 4 + length) break
    const status = Number(statusLine.split(' ')[1])
    responses.push({ statusLine, status, headers, body: bytes.subarray(end + 4, end + 4 + length) })
    at = end + 4 + length
  }
  return { responses, rest: bytes.subarray(at).toString('latin1') }
}

/** Returns the value of a response's header. */
export function headerOf({ headers }: Pick<RawResponse, 'headers'>, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
}

/** Sends bytes, waits some milliseconds, and resets the connection, like a client that crashes with unread data. */
export async function sendAndReset(url: string, bytes: string | Buffer, wait = 0): Promise<void> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setNoDelay()
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject)
    socket.on('close', () => resolve())
    socket.write(bytes, () => setTimeout(() => socket.resetAndDestroy(), wait))
  })
}
