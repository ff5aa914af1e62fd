import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { problems } from '@signalbox/codec'
import type { Mixed } from 'io-ts'
import { createServer } from '../../../http.ts'
import { type Random, randomUuid } from '../../../random.ts'
import { leave } from '../../leave.ts'
import { readBody } from '../../read-body.ts'
import { unavailablePort } from '../../unavailable-port.ts'
import type { LocalStore } from '../store/local-store.ts'
import { inputs, type Operation } from './inputs.ts'
import { type Caller, operations } from './operations.ts'
import { ProtocolError, type WireError, wireErrorOf } from './wire-error.ts'

/** Bytes of a request: a full batch, every character of it escaped. */
const bodyLimit = 8 * 1024 * 1024

const target = /^AmazonSQS\.([A-Za-z]+)$/
const contentType = 'application/x-amz-json-1.0'

/** The SQS JSON protocol in front of a store. */
export interface QueueListener {
  /** Answers the URL. */
  readonly start: () => Promise<string>
  readonly stop: () => Promise<void>
}

/**
 * Lets stock clients of SQS talk to the queues. Nobody is authenticated: whoever reaches the listener may use every
 * queue, which is why it is for this machine unless told otherwise. Browsers are refused.
 * @param notice is told what kept it from serving a request that it should have served
 */
export function queueListener(
  { host, port }: { readonly host: string; readonly port: number },
  store: LocalStore,
  random: Random,
  notice: (text: string) => void = () => {},
): QueueListener {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const id = randomUuid(random)
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    try {
      const { operation, input } = await read(request)
      const caller: Caller = {
        store,
        base: `http://${request.headers.host ?? `${host}:${port}`}`,
        sender: senderOf(request),
        signal: gone.signal,
      }
      const run = operations[operation] as (input: never, caller: Caller) => Promise<object>
      answer(response, 200, id, await run(input as never, caller))
    } catch (error) {
      if (error === brokenOff) return
      const known = wireErrorOf(error)
      if (known === undefined)
        notice(
          `The queue listener could not serve a request: ${error instanceof Error ? error.message : String(error)}`,
        )
      refuse(response, id, known ?? internal)
      // It may be sending what nobody wants.
      request.resume()
    }
  }

  const server = createServer(
    { requestTimeout: 60_000 },
    (request, response) => void serve(request, response),
  )
  // Node would destroy it as soon as the last answer is on its way, and cost a client that still sends that answer.
  server.on('connection', socket => {
    socket.destroySoon = () => leave(socket)
  })
  server.on('clientError', (_error, socket) => {
    if (socket.writable) leave(socket as Socket, notHttp)
  })
  server.on('connect', (_request, socket) => leave(socket as Socket, notHttp))

  return {
    start: () =>
      new Promise((resolve, reject) => {
        server.once('error', error => reject(unavailablePort('The queue listener', { port, host }, error)))
        server.listen(port, host, () => {
          const { address, port: actual, family } = server.address() as AddressInfo
          resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`)
        })
      }),
    stop: () =>
      new Promise(resolve => {
        if (!server.listening) return resolve()
        server.close(() => resolve())
        // Long polls would keep it open, and whoever asks next finds nobody.
        server.closeAllConnections()
      }),
  }
}

const explanation = 'This is the SQS JSON protocol over HTTP/1.1: requests are POSTs.\n'
const notHttp = `HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: ${explanation.length}\r\n\r\n${explanation}`

const internal: WireError = {
  type: 'InternalFailure',
  code: 'InternalFailure',
  status: 500,
  message: 'The request could not be served.',
}

const brokenOff = new Error('The client broke off.')

async function read(
  request: IncomingMessage,
): Promise<{ readonly operation: Operation; readonly input: object }> {
  const { headers, method } = request
  if (headers.origin !== undefined) throw new ProtocolError('Forbidden', 'Web pages may not use queues.')
  const operation = target.exec(String(headers['x-amz-target']))?.[1]
  const type = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase()
  if (type === 'application/x-www-form-urlencoded' && operation === undefined)
    throw new ProtocolError(
      'UnknownOperation',
      'The query protocol of older clients is not spoken here. Use a newer one: they speak the SQS JSON protocol.',
    )
  if (method !== 'POST' || type !== contentType || operation === undefined)
    throw new ProtocolError(
      'UnknownOperation',
      `A request is a POST with the content type ${contentType} and the header X-Amz-Target: AmazonSQS.Operation.`,
    )
  if (!Object.hasOwn(operations, operation))
    throw new ProtocolError('UnknownOperation', `The operation ${operation} is not supported.`)
  const body = await readBody(request, bodyLimit)
  if (body === 'broken off') throw brokenOff
  if (body === 'too large') throw new ProtocolError('TooLarge', `A request has ${bodyLimit} bytes at most.`)
  return { operation: operation as Operation, input: readInput(operation as Operation, body.bytes) }
}

function readInput(operation: Operation, bytes: Uint8Array): object {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw new ProtocolError('Serialization', 'The body is not JSON.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ProtocolError('Serialization', 'The body is not a JSON object.')
  dropNulls(value, inputDepth)
  const [wrong] = problems(inputs[operation] as Mixed, value)
  if (wrong !== undefined)
    throw new ProtocolError('Serialization', `${wrong.pointer || '/'}: expected ${wrong.expected}.`)
  return value
}

/** A request, its entries, one of them, its attributes, one of those: nothing that is looked at lies deeper. */
const inputDepth = 5

/** Null and absent are the same thing. */
function dropNulls(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return
  if (Array.isArray(value)) for (const each of value) dropNulls(each, depth - 1)
  else
    for (const [name, each] of Object.entries(value))
      if (each === null) delete (value as Record<string, unknown>)[name]
      else dropNulls(each, depth - 1)
}

/** The access key that the client signed with, which nobody checks. */
function senderOf({ headers }: IncomingMessage): string {
  return /Credential=([A-Za-z0-9]{1,128})\//.exec(headers.authorization ?? '')?.[1] ?? 'anonymous'
}

function refuse(response: ServerResponse, id: string, { type, code, status, message }: WireError): void {
  const fault = status < 500 ? 'Sender' : 'Receiver'
  answer(
    response,
    status,
    id,
    { __type: `com.amazonaws.sqs#${type}`, message },
    { 'x-amzn-query-error': `${code};${fault}` },
  )
}

function answer(response: ServerResponse, status: number, id: string, body: object, more: object = {}): void {
  if (response.destroyed || response.headersSent) return
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': Buffer.byteLength(text),
    'x-amzn-requestid': id,
    ...(status === 413 && { connection: 'close' }),
    ...more,
  })
  response.end(text)
}
