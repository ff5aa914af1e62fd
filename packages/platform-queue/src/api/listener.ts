import type { IncomingMessage, ServerResponse } from 'node:http'
import { problems } from '@signalbox/codec'
import { defaultLocation, type Random, randomUuid } from '@signalbox/platform-runtime'
import {
  backlog,
  isOwnHost,
  listenError,
  listenUrl,
  type MemoryBudget,
  memoryBudget,
  type ReserveBytes,
  readBody,
  serviceServer,
} from '@signalbox/platform-runtime/listener'
import type { Mixed } from 'io-ts'
import type { LocalStore } from '../store/sqlite/local-store.ts'
import { jsonProtocol } from './json-protocol.ts'
import { inputs } from './operations/inputs.ts'
import { type Caller, operations } from './operations/operations.ts'
import { type Call, faultOf, type Protocol } from './protocol.ts'
import { isQueryRequest, queryProtocol } from './query/query-protocol.ts'
import { tracedStore } from './traced-store.ts'
import { ProtocolError, type WireError, wireErrorOf } from './wire-error.ts'

/** An HTTP server for SQS clients, with the JSON and the query protocol. */
export interface QueueListener {
  /** Resolves to the URL. */
  readonly start: () => Promise<string>
  readonly stop: () => Promise<void>
}

/**
 * Serves SQS clients. It does not authenticate them: every client that reaches the listener may use every queue.
 * Therefore it listens on this machine by default. It refuses browsers.
 * @param notice reports a request that failed for internal reasons
 */
export function queueListener(
  { host, port }: { readonly host: string; readonly port: number },
  store: LocalStore,
  random: Random,
  notice: (text: string) => void = () => {},
  location = defaultLocation,
): QueueListener {
  const memory = memoryBudget(Date.now)
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const id = randomUuid(random)
    const protocol = isQueryRequest(request) ? queryProtocol : jsonProtocol
    const disconnected = new AbortController()
    response.once('close', () => {
      // With a reason, an abort does not create an error and its stack.
      if (!response.writableFinished) disconnected.abort(disconnectedClient)
      memory.release(response)
    })
    try {
      const { host: named = '' } = request.headers
      if (!isOwnHost(named, host)) throw new ProtocolError('Forbidden', 'Invalid Host header.')
      const { operation, input } = await read(request, protocol, (bytes, giveUp) =>
        memory.reserve(response, bytes, giveUp),
      )
      const caller: Caller = {
        store: tracedStore(store, request.headers['x-amzn-trace-id']),
        location,
        base: `http://${named}/${location.account}`,
        sender: senderOf(request),
        signal: disconnected.signal,
      }
      const run = operations[operation] as (input: never, caller: Caller) => Promise<object>
      const result = await run(input as never, caller)
      answer(response, protocol, 200, id, protocol.result(operation, result, id), memory)
    } catch (error) {
      if (error === disconnectedClient) return
      const known = wireErrorOf(error)
      if (known === undefined)
        notice(
          `The queue listener could not serve a request: ${error instanceof Error ? error.message : String(error)}`,
        )
      refuse(response, protocol, id, known ?? internal, memory)
      // Discards the rest of the request.
      request.resume()
    }
  }

  const explanation = 'This is SQS over HTTP/1.1, in the JSON or the query protocol.'
  const server = serviceServer(
    { answersHalfClosed: false, explanation },
    (request, response) => void serve(request, response),
  )

  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', error =>
          reject(listenError('The queue listener', 'queueListener.port', { port, host }, error)),
        )
        server.listen(port, host, backlog, () => {
          resolve(listenUrl('http', server))
        })
      }),
    stop: () =>
      new Promise(resolve => {
        if (!server.listening) return resolve()
        server.close(() => resolve())
        // Long polls would keep the server open.
        server.closeAllConnections()
      }),
  }
}

const internal = new ProtocolError('Internal', 'Internal error.').wire

const disconnectedClient = new Error('The client broke off.')

async function read(request: IncomingMessage, protocol: Protocol, reserve: ReserveBytes): Promise<Call> {
  const { bodyLimit } = protocol
  if (request.headers.origin !== undefined)
    throw new ProtocolError('Forbidden', 'Web pages may not use queues.')
  const call = await protocol.read(request, async () => {
    const body = await readBody(request, bodyLimit, reserve)
    if (body === 'aborted') throw disconnectedClient
    if (body === 'too slow') throw new ProtocolError('TooSlow', 'The request took too long.')
    if (body === 'no memory') throw new ProtocolError('NoRoom', 'Too many requests.')
    if (body === 'too large')
      throw new ProtocolError('TooLarge', `The request is larger than ${bodyLimit} bytes.`)
    return body.bytes
  })
  const [wrong] = problems(inputs[call.operation] as Mixed, call.input)
  if (wrong !== undefined)
    throw new ProtocolError('Serialization', `${wrong.pointer || '/'}: expected ${wrong.expected}.`)
  return call
}

/** The access key that signs the request, in a header or in the URL. Nothing checks it. */
function senderOf({ headers, url = '' }: IncomingMessage): string {
  const signature = headers.authorization ?? url
  return /(?:Credential|AWSAccessKeyId)=([A-Za-z0-9]{1,128})/.exec(signature)?.[1] ?? 'anonymous'
}

/** The maximum number of characters of an error message, which may quote the request. */
const messageLimit = 2000

function refuse(
  response: ServerResponse,
  protocol: Protocol,
  id: string,
  error: WireError,
  memory: MemoryBudget,
): void {
  const text = protocol.error({ ...error, message: error.message.slice(0, messageLimit) }, id)
  answer(response, protocol, error.status, id, text, memory, {
    'x-amzn-query-error': `${error.code};${faultOf(error)}`,
  })
}

/**
 * Sends a response. Its unread bytes count as memory, and the connection is closed when other requests need that
 * memory.
 */
function answer(
  response: ServerResponse,
  { contentType }: Protocol,
  status: number,
  id: string,
  text: string,
  memory: MemoryBudget,
  more: object = {},
): void {
  if (response.destroyed || response.headersSent) return
  const bytes = Buffer.byteLength(text)
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': bytes,
    'x-amzn-requestid': id,
    ...([408, 413, 503].includes(status) && { connection: 'close' }),
    ...more,
  })
  response.end(text)
  // The request's body is no longer needed.
  memory.release(response)
  if (response.writableLength === 0) return
  const giveUp = () => response.destroy()
  if (!memory.reserve(response, bytes, giveUp)) giveUp()
}
