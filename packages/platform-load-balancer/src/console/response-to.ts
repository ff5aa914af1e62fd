import type { IncomingMessage } from 'node:http'
import { ApiError } from '@signalbox/platform-runtime/console'
import type { RequestToSend } from './load-balancer-routes.ts'

// An import would also load an HTTP client and two other protocols, which takes 20 ms of each start.
const { request: sendTo } = process.getBuiltinModule('node:http')

/** The maximum time to wait for a load balancer's response, in milliseconds. */
const longestAnswer = 120_000
/** The maximum size of a load balancer's response, in bytes. */
const mostRead = 10 * 1024 * 1024

/**
 * Sends a request through the load balancer, as a client does. It adds a trace id, unless the user gives one,
 * and finds the invocation by that id.
 */
export function responseTo(
  url: string,
  { method, path, headers = [], body = '', isBase64 = false }: RequestToSend,
  traceId: string,
) {
  const bytes = Buffer.from(body, isBase64 ? 'base64' : 'utf8')
  const lower = headers.map(([name]) => name.toLowerCase())
  const own: [string, string][] = [
    ...(lower.includes('host') ? [] : [['host', new URL(url).host] as [string, string]]),
    ...(lower.includes('x-cloud-trace-id')
      ? []
      : [['x-cloud-trace-id', `Root=${traceId}`] as [string, string]]),
    ...(bytes.length === 0 ? [] : [['content-length', String(bytes.length)] as [string, string]]),
    ['connection', 'close'],
  ]
  const { hostname, port } = new URL(url)
  return new Promise<Awaited<ReturnType<typeof readResponse>>>((resolve, reject) => {
    const refuse = (error: Error) =>
      reject(new ApiError(400, `The request cannot be sent: ${error.message}.`, { cause: error }))
    try {
      const request = sendTo(
        {
          ...{ method, path, port, timeout: longestAnswer, setHost: false },
          host: hostname.replace(/^\[|\]$/g, ''),
          headers: [...headers, ...own].flat(),
        },
        answer => void readResponse(answer).then(resolve, refuse),
      )
      request.on('timeout', () => request.destroy(new Error(`no answer within ${longestAnswer} ms`)))
      request.on('error', refuse)
      request.end(bytes)
    } catch (error) {
      // Node refuses an invalid method or header at once.
      refuse(error as Error)
    }
  })
}

async function readResponse(answer: IncomingMessage) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > mostRead) throw new Error(`the answer is larger than ${mostRead} bytes`)
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const text = bytes.toString()
  const isText = Buffer.from(text).equals(bytes)
  const { rawHeaders, statusCode: status = 0, statusMessage: statusText = '' } = answer
  const headers = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name, rawHeaders[at + 1]!] as const] : [],
  )
  return { status, statusText, headers, body: isText ? text : bytes.toString('base64'), isBase64: !isText }
}
