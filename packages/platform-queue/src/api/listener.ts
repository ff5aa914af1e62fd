import type { IncomingMessage, ServerResponse } from 'node:http'
import { problems } from '@signalbox/codec'
import { type Clock, systemClock } from '@signalbox/core/base'
import {
  defaultLocation,
  type Location,
  type Meter,
  type Random,
  randomUuid,
} from '@signalbox/platform-runtime'
import type { Access } from '@signalbox/platform-runtime/access'
import type { ListenerLimitsConfig, TlsFiles } from '@signalbox/platform-runtime/config'
import {
  backlog,
  hasOwnHost,
  listenError,
  listenUrl,
  memoryBudget,
  outsideRefusal,
  readBody,
  requestCounts,
  servesWithoutKey,
  serviceServer,
  withTls,
} from '@signalbox/platform-runtime/listener'
import { causeOf, runInSpan, toTraceHeader } from '@signalbox/platform-runtime/traces'
import type { Mixed } from 'io-ts'
import type { OwnQueueStore } from '../store/own-queue-store.ts'
import { ProtocolError, rateExceeded, wireErrorOf } from '../wire/wire-error.ts'
import { refuse, sendAnswer } from './answer.ts'
import { knows, senderOf, signedBy } from './authentication.ts'
import { jsonProtocol } from './json-protocol.ts'
import { inputs, type Operation } from './operations/inputs.ts'
import { type Caller, operations } from './operations/operations.ts'
import type { Protocol } from './protocol.ts'
import { queryJsonProtocol } from './query/query-json.ts'
import { isQueryRequest, queryProtocol } from './query/query-protocol.ts'

/** An HTTP server for SQS clients. It supports the JSON protocol and the query protocol. */
export interface QueueListener {
  /** Starts the listener. Resolves to its URL. */
  readonly start: () => Promise<string>
  readonly stop: () => Promise<void>
}

/** The address and the limits of the listener. */
export interface QueueAddress {
  readonly host: string
  readonly port: number
  /** Whether clients need no key although the listener is not for this machine alone. */
  readonly open?: boolean
  /** Additional host names that the listener accepts in the Host header. */
  readonly names?: readonly string[]
  /** The certificate files. If they are set, clients connect over HTTPS. */
  readonly tls?: TlsFiles | undefined
  /** The limits for each client address. Undefined means no limits. */
  readonly limits?: ListenerLimitsConfig | undefined
}

/** The services that a listener gets from its platform. */
export interface QueueListenerContext {
  readonly notice?: (text: string) => void
  readonly location?: Location
  readonly clock?: Clock
  /** Authenticates clients. Undefined if clients need no access key. */
  readonly access?: Access | undefined
  readonly meter?: Meter
}

/**
 * Serves SQS clients. With `access`, each request must be signed with the key of an identity that has the necessary
 * rights. Without it, every client that `servesWithoutKey` allows may use every queue. The listener refuses requests from
 * browsers.
 * @param notice reports a request that failed for internal reasons
 */
export function queueListener(
  { host, port, open = false, names = [], tls, limits }: QueueAddress,
  store: OwnQueueStore,
  random: Random,
  {
    notice = () => {},
    location = defaultLocation,
    clock = systemClock,
    access,
    meter,
  }: QueueListenerContext = {},
): QueueListener {
  const memory = memoryBudget(clock)
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const id = randomUuid(random)
    const protocol = protocolOf(request)
    const disconnected = new AbortController()
    response.once('close', () => {
      // With an explicit reason, abort() does not have to create an error with a stack trace.
      if (!response.writableFinished) disconnected.abort(disconnectedClient)
      memory.release(response)
    })
    try {
      const { host: named = '' } = request.headers
      if (!hasOwnHost(request, host, names)) throw new ProtocolError('Forbidden', 'Invalid Host header.')
      if (request.headers.origin !== undefined)
        throw new ProtocolError('Forbidden', 'Web pages may not use queues.')
      if (access === undefined && !servesWithoutKey(request, open))
        throw new ProtocolError('Forbidden', outsideRefusal)
      const client = access && signedBy(access, request)
      const body = await bodyOf(request, response, protocol.bodyLimit)
      const { operation, input } = protocol.read(request, body)
      refuseWrongInput(operation, input)
      const identity = client?.identityOf(body, operation)
      if (client !== undefined) client.authorize(identity!, operation, input, location)
      const caller: Caller = {
        store,
        location,
        base: `${tls === undefined ? 'http' : 'https'}://${named}/${location.account}`,
        sender: identity?.name ?? senderOf(request),
        trace: traceOf(request),
        mayKnow: queue => identity === undefined || knows(identity, queue),
        signal: disconnected.signal,
      }
      const run = operations[operation] as (input: never, caller: Caller) => Promise<object>
      const { parent } = causeOf(request.headers)
      const work = () => run(input as never, caller)
      const result = await (parent === undefined ? work() : runInSpan(parent, work))
      sendAnswer(response, protocol, 200, id, protocol.result(operation, result, id), memory)
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

  const bodyOf = async (request: IncomingMessage, response: ServerResponse, limit: number) => {
    const body = await readBody(request, limit, memory, response)
    if (body === 'aborted') throw disconnectedClient
    if (body === 'too slow') throw new ProtocolError('TooSlow', 'The request took too long.')
    if (body === 'no memory') throw new ProtocolError('NoRoom', 'Too many requests.')
    if (body === 'too large')
      throw new ProtocolError('TooLarge', `The request is larger than ${limit} bytes.`)
    return body.bytes
  }

  const explanation = 'This is SQS over HTTP/1.1, in the JSON or the query protocol.'
  const server = serviceServer(
    {
      ...{ answersHalfClosed: false, explanation, limits, clock },
      count: requestCounts(meter, 'queues'),
      throttle(request, response, seconds) {
        const protocol = protocolOf(request)
        refuse(response, protocol, randomUuid(random), rateExceeded(seconds).wire, memory)
      },
    },
    serve,
  )

  const front = withTls(server, tls, undefined, { notice, clock })

  return {
    start: () =>
      new Promise((resolve, reject) => {
        front.once('error', error =>
          reject(listenError('The queue listener', 'queueListener.port', { port, host }, error)),
        )
        front.listen({ port, host, backlog }, () => {
          resolve(listenUrl(tls === undefined ? 'http' : 'https', front))
        })
      }),
    stop: () =>
      new Promise(resolve => {
        if (!front.listening) return resolve()
        front.close(() => resolve())
        // Open long polls would keep the server running, so their connections are closed.
        server.closeAllConnections()
      }),
  }
}

function protocolOf(request: IncomingMessage): Protocol {
  if (!isQueryRequest(request)) return jsonProtocol
  return /^\s*application\/json\b/i.test(request.headers.accept ?? '') ? queryJsonProtocol : queryProtocol
}

/** Returns the trace header of a request, if messages may have it: printable ASCII of limited length. */
function traceOf({ headers }: IncomingMessage): string | undefined {
  const header = headers['x-amzn-trace-id']
  if (typeof header === 'string' && /^[\x20-\x7e]{1,1024}$/.test(header)) return header
  const { parent } = causeOf(headers)
  return parent && toTraceHeader(parent)
}

const internal = new ProtocolError('Internal', 'Internal error.').wire

const disconnectedClient = new Error('The client broke off.')

function refuseWrongInput(operation: Operation, input: object): void {
  const [wrong] = problems(inputs[operation] as Mixed, input)
  if (wrong !== undefined)
    throw new ProtocolError('Serialization', `${wrong.pointer || '/'}: expected ${wrong.expected}.`)
}
