import type { IncomingMessage } from 'node:http'
import type { Clock } from '@signalbox/core'
import { signatureHeaders } from '@signalbox/core/event-signature'
import { errorPayload } from '@signalbox/core/payload'
import { payloadLimit } from '../invoker.ts'
import { resultTooLong } from '../result/serialize-result.ts'
import type { RemoteAnswer, RemoteEndpoint } from './remote-endpoint.ts'

export interface HttpEndpointSettings {
  readonly name: string
  readonly url: string
  /** The secret that signs each event. */
  readonly secret: string | undefined
  /** Further request headers, which may contain secrets. */
  readonly headers: { readonly [name: string]: string }
  readonly instances: number
  readonly clock: Clock
}

/**
 * Milliseconds after which an idle connection is closed. This is shorter than the limit of most servers, because a
 * request whose connection is closed by the server cannot be repeated: it may have reached the function.
 */
const idleLimit = 4000

/**
 * Returns an invoker of a function behind a URL, which takes events as POST requests and answers with payloads. Errors
 * and logs show only the origin of the URL, because the rest may contain a key.
 */
export function httpEndpoint({
  name,
  url,
  secret,
  headers,
  instances,
  clock,
}: HttpEndpointSettings): RemoteEndpoint {
  const { origin, protocol } = new URL(url)
  const isSecure = protocol === 'https:'
  // An import would load the HTTP client in every platform, even if no function has a URL.
  const { request, Agent } = isSecure
    ? process.getBuiltinModule('node:https')
    : process.getBuiltinModule('node:http')
  const agent = new Agent({
    keepAlive: true,
    maxFreeSockets: instances,
    timeout: idleLimit,
    scheduling: 'lifo',
  })

  return {
    call: ({ event, requestId, context }, { timeLimit, signal }) =>
      new Promise(resolve => {
        const body = Buffer.from(event)
        if (body.length > payloadLimit) {
          const refused = `the event has ${body.length} bytes, and ${payloadLimit} are the limit`
          return resolve({ refused, mayRetry: false })
        }
        let isConnected = false
        const sent = request(url, {
          method: 'POST',
          agent,
          signal,
          headers: {
            'user-agent': 'signalbox',
            ...headers,
            'content-type': 'application/json',
            'content-length': body.length,
            'signalbox-function': name,
            'signalbox-request-id': requestId,
            'signalbox-time-limit': Math.ceil(timeLimit),
            ...(typeof context?.traceparent === 'string' && { traceparent: context.traceparent }),
            'x-amz-log-type': 'Tail',
            ...(secret !== undefined && signatureHeaders(secret, { id: requestId, body, now: clock.wall() })),
          },
        })
        sent.once('socket', socket => {
          if (sent.reusedSocket) isConnected = true
          else socket.once(isSecure ? 'secureConnect' : 'connect', () => (isConnected = true))
        })
        sent.on('error', ({ code = 'no answer' }: NodeJS.ErrnoException) =>
          resolve(
            isConnected
              ? { lost: `${origin} broke the connection off (${code})` }
              : { refused: `${origin} cannot be reached (${code})`, mayRetry: true },
          ),
        )
        sent.once('response', response => void read(response, origin).then(resolve))
        sent.end(body)
      }),
    close: () => agent.destroy(),
  }
}

async function read(response: IncomingMessage, origin: string): Promise<RemoteAnswer> {
  const { statusCode: status = 0, headers } = response
  const unreadable = unreadableAnswer(status, headers['content-encoding'], origin)
  if (unreadable !== undefined) {
    response.destroy()
    return unreadable
  }
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      // This call also closes the connection.
      if (size > payloadLimit) return tooLong()
      chunks.push(chunk)
    }
  } catch (error) {
    const { code = 'no end' } = error as NodeJS.ErrnoException
    return { lost: `${origin} broke its answer off (${code})` }
  }
  const log = headers['x-amz-log-result']
  return {
    payload: Buffer.concat(chunks).toString(),
    isError: headers['x-amz-function-error'] !== undefined,
    log: typeof log === 'string' ? log : undefined,
  }
}

/** Returns the reason why an answer has no payload. Returns undefined for an answer with a payload. */
function unreadableAnswer(
  status: number,
  encoding: string | undefined,
  origin: string,
): RemoteAnswer | undefined {
  const answered = `${origin} answered ${status}`
  if (status === 429 || status === 503) return { refused: answered, mayRetry: true }
  if (status >= 500) return { lost: answered }
  if (status >= 400) return { refused: answered, mayRetry: false }
  if (status >= 300) return { refused: `${answered}, and redirects are not followed`, mayRetry: false }
  if (encoding !== undefined && encoding !== 'identity')
    return { lost: `${origin} answered in an encoding that was not asked for` }
  return undefined
}

function tooLong(): RemoteAnswer {
  return { payload: errorPayload(resultTooLong()), isError: true }
}
