import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { errorPayload } from '@signalbox/core/payload'
import { fromTraceparent, toTraceHeader } from '../../traces/index.ts'
import { invocationSpan } from '../../traces/span.ts'
import type { ProcessEvents } from '../instance/function-process.ts'
import { type Call, payloadLimit } from '../invoker.ts'
import { resultTooLong, serializeError } from '../result/serialize-result.ts'

/** An event for a runtime. */
export interface RuntimeEvent {
  /** The number of the event. */
  readonly about: number
  readonly call: Call
  /** The milliseconds that the event may take. */
  readonly granted: number
}

export interface RuntimeInterfaceSettings {
  /** The ARN of the function. */
  readonly arn: string
  /** The number of events that the runtime may work on at the same time. */
  readonly concurrency: number
  /** Returns which connections come from the runtime or its extensions. Many take hardly longer than one. */
  readonly areOwn: (sockets: readonly Socket[]) => readonly boolean[]
  /** Answers a request of an extension. Returns false for any other request. */
  readonly respond: (request: IncomingMessage, response: ServerResponse) => boolean
}

/** The HTTP interface through which one instance of a command gets events and answers them. */
export interface RuntimeInterface {
  /** Starts to listen on loopback, and returns the port. */
  readonly listen: () => Promise<number>
  readonly send: (event: RuntimeEvent) => void
  /** Refuses the answer to an event whose time is over. */
  readonly giveUp: (about: number) => void
  readonly close: () => void
}

type RuntimeReports = Pick<ProcessEvents, 'ready' | 'failed' | 'answered' | 'free'>

/** An event that a runtime works on. */
interface InFlight extends RuntimeEvent {
  /** A new id for each delivery, so that an answer to an earlier delivery of the same event is not taken. */
  readonly invocationId: string
}

/** The maximum number of connections of one instance. */
const connectionLimit = 256

/** The maximum size of the headers of a request in bytes. Runtimes describe errors in headers of up to 1 MB. */
const headerLimit = 1_200_000

/** The number of requests that are remembered because their time was over. */
const givenUpLimit = 1000

const version = '/2018-06-01/'

/** Creates the interface of one instance. */
export function runtimeInterface(
  { arn, concurrency, areOwn, respond: respondToExtension }: RuntimeInterfaceSettings,
  reports: RuntimeReports,
): RuntimeInterface {
  const inFlight = new Map<number, InFlight>()
  /** The events that no connection has taken yet. */
  const queued: RuntimeEvent[] = []
  /** The connections that wait for an event. */
  const polls = new Set<ServerResponse>()
  /** The answered events whose places no connection has taken yet. */
  const answered: number[] = []
  const givenUp = new Set<string>()
  /** The events whose answers are arriving. */
  const arriving = new Set<number>()
  /** The connections that are not checked yet. */
  const arrived = new Set<Socket>()
  /** The number of events that the platform may send at once. */
  let offered = 0
  let isLoaded = false

  let server: Server | undefined

  return {
    async listen() {
      // Functions that are modules need no HTTP, and an import would also load an HTTP client.
      const { createServer } = process.getBuiltinModule('node:http')
      server = createServer(
        {
          maxHeaderSize: headerLimit,
          keepAlive: true,
          requestTimeout: 0,
          headersTimeout: 0,
          keepAliveTimeout: 0,
        },
        (request, response) => void respond(request, response),
      )
      server.maxConnections = connectionLimit
      server.on('connection', (socket: Socket) => {
        socket.on('error', () => {})
        // Those that arrive together are checked together, before the first request of one of them.
        if (arrived.size === 0) setImmediate(checkArrived)
        arrived.add(socket)
      })
      return listening(server)
    },
    send(event) {
      offered--
      const [poll] = polls
      if (poll === undefined) queued.push(event)
      else deliver(event, poll)
    },
    giveUp(about) {
      const at = queued.findIndex(event => event.about === about)
      if (at >= 0) queued.splice(at, 1)
      const event = inFlight.get(about)
      if (event === undefined) return
      inFlight.delete(about)
      givenUp.add(event.call.requestId).add(event.invocationId)
      if (givenUp.size > givenUpLimit) givenUp.delete(givenUp.values().next().value!)
    },
    close() {
      server?.close()
      server?.closeAllConnections()
    },
  }

  function checkArrived(): void {
    if (arrived.size === 0) return
    const sockets = [...arrived]
    arrived.clear()
    const own = areOwn(sockets)
    for (const [at, socket] of sockets.entries()) if (!own[at]) socket.destroy()
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (arrived.has(request.socket)) checkArrived()
    if (request.socket.destroyed) return
    request.on('error', () => {})
    response.on('error', () => {})
    if (respondToExtension(request, response)) return
    const { method, url = '' } = request
    const path = url.startsWith(version) ? url.slice(version.length) : undefined
    const [, requestId, what] = /^runtime\/invocation\/([^/]+)\/(response|error)$/.exec(path ?? '') ?? []
    if (method === 'GET' && path === 'runtime/invocation/next') next(request, response)
    else if (method === 'POST' && path === 'runtime/init/error') await initError(request, response)
    else if (method === 'POST' && requestId !== undefined)
      await answer(request, response, requestId, what === 'error')
    else if (method === 'GET' && path === 'ping') respondWith(response, 200, { status: 'OK' })
    else
      refuse(
        response,
        404,
        'UnknownPath',
        `${method} ${url.slice(0, 200)} is not a part of this interface. It has the paths runtime/invocation/next, runtime/invocation/ID/response, runtime/invocation/ID/error and runtime/init/error of 2018-06-01, and those for extensions.`,
      )
  }

  function next(request: IncomingMessage, response: ServerResponse): void {
    if (polls.size + inFlight.size >= concurrency) {
      refuse(
        response,
        403,
        'InvalidStateTransition',
        concurrency === 1
          ? 'The runtime already waits for an event, or has not answered the one that it has.'
          : `The runtime already has or waits for ${concurrency} events.`,
      )
      return
    }
    request.resume()
    polls.add(response)
    response.on('close', () => polls.delete(response))
    if (!isLoaded) {
      isLoaded = true
      reports.ready()
    }
    const event = queued.shift()
    if (event !== undefined) deliver(event, response)
    // A connection may take the place of one that has closed.
    else if (polls.size > offered) {
      offered++
      reports.free(answered.shift())
    }
  }

  function deliver(event: RuntimeEvent, poll: ServerResponse): void {
    polls.delete(poll)
    const { about, call, granted } = event
    const { clientContext, identity, tenantId } = call.context ?? {}
    const invocationId = randomUUID()
    inFlight.set(about, { ...event, invocationId })
    const headers: { readonly [name: string]: string | undefined } = {
      'Content-Type': 'application/json',
      'Lambda-Runtime-Aws-Request-Id': call.requestId,
      'Lambda-Runtime-Invocation-Id': invocationId,
      // The runtime compares the deadline with the clock of the machine.
      'Lambda-Runtime-Deadline-Ms': String(Date.now() + granted),
      'Lambda-Runtime-Invoked-Function-Arn': arn,
      'Lambda-Runtime-Trace-Id': traceOf(call),
      'Lambda-Runtime-Client-Context': asciiJson(clientContext),
      'Lambda-Runtime-Cognito-Identity': asciiJson(identity),
      'Lambda-Runtime-Aws-Tenant-Id': printable(tenantId),
    }
    for (const [name, value] of Object.entries(headers)) if (value !== undefined) poll.setHeader(name, value)
    poll.end(call.event)
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
    isError: boolean,
  ): Promise<void> {
    const event = answeredEvent(request, requestId)
    if (event === undefined || arriving.has(event.about)) {
      request.resume()
      if (isGivenUp(request, requestId)) refuse(response, 410, 'Runtime.InvokeTimeout', 'Invoke timeout')
      else refuse(response, 400, 'InvalidRequestID', 'Invalid request ID')
      return
    }
    const { about } = event
    arriving.add(about)
    const body = await bodyOf(request)
    arriving.delete(about)
    // The client has gone. The event stays in flight until its time is over, or its process ends.
    if (body === 'incomplete') return
    if (!inFlight.has(about)) return refuse(response, 410, 'Runtime.InvokeTimeout', 'Invoke timeout')
    inFlight.delete(about)
    answered.push(about)
    const isTooLarge = body === 'too large'
    await settled()
    if (isTooLarge) reports.answered(about, failed(serializeError(resultTooLong())))
    else reports.answered(about, resultOf(body, isError ? undefined : request))
    if (isTooLarge)
      refuse(
        response,
        413,
        'RequestEntityTooLarge',
        `Exceeded maximum allowed payload size (${payloadLimit} bytes).`,
      )
    else respondWith(response, 202, { status: 'OK' })
  }

  /** Returns the event in flight that a request answers. */
  function answeredEvent({ headers }: IncomingMessage, requestId: string): InFlight | undefined {
    const invocationId = headers['lambda-runtime-invocation-id']
    for (const event of inFlight.values())
      if (event.call.requestId === requestId)
        if (invocationId === undefined || invocationId === event.invocationId) return event
    return undefined
  }

  function isGivenUp({ headers }: IncomingMessage, requestId: string): boolean {
    const invocationId = headers['lambda-runtime-invocation-id']
    return givenUp.has(typeof invocationId === 'string' ? invocationId : requestId)
  }

  async function initError(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    if (isLoaded)
      return refuse(response, 403, 'InvalidStateTransition', 'The runtime has already asked for an event.')
    // The runtime ends when it has the response.
    await settled()
    reports.failed(failed(errorOf(Buffer.isBuffer(body) ? body : Buffer.alloc(0))).failure.message)
    respondWith(response, 202, { status: 'OK' })
  }
}

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}

/**
 * Resolves when this process has read the output that a runtime wrote before its request, which arrives through other
 * pipes.
 */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise(resolve => setImmediate(resolve))
}

/** Reads a body, and the trailers after it. Beyond the limit for payloads, the rest is thrown away. */
function bodyOf(request: IncomingMessage): Promise<Buffer | 'too large' | 'incomplete'> {
  return new Promise(resolve => {
    let parts: Buffer[] = []
    let size = 0
    request.on('data', (part: Buffer) => {
      size += part.length
      if (size <= payloadLimit) parts.push(part)
      else parts = []
    })
    request.on('end', () => resolve(size > payloadLimit ? 'too large' : Buffer.concat(parts)))
    request.on('close', () => resolve('incomplete'))
  })
}

type Result = Parameters<ProcessEvents['answered']>[1]

/**
 * Returns the result in the body of a request.
 * @param response the request, if it brings a response, which may end with an error in its trailers
 */
function resultOf(body: Buffer, response: IncomingMessage | undefined): Result {
  if (response === undefined) return failed(errorOf(body))
  const type = response.trailers['lambda-runtime-function-error-type']
  if (type) {
    const text = response.trailers['lambda-runtime-function-error-body'] ?? ''
    return failed(errorOf(Buffer.from(text, 'base64'), type))
  }
  try {
    return { payload: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body) }
  } catch {
    return failed(serializeError(new TypeError('What the function returned is not UTF-8')))
  }
}

function failed({ payload, threw = '' }: ReturnType<typeof serializeError>) {
  return { payload, failure: { kind: 'threw', message: threw } } as const
}

/** Returns the error that a runtime describes in JSON. Its payload is what the runtime wrote, if that is an object. */
function errorOf(body: Buffer, type = 'Error'): ReturnType<typeof serializeError> {
  const text = body.toString()
  try {
    const { errorType = type, errorMessage = '' } = JSON.parse(text) as Readonly<Record<string, unknown>>
    const threw = `${errorType}: ${errorMessage}`
    return { payload: text.trimStart().startsWith('{') ? text : errorPayload(threw), threw }
  } catch {
    const threw = `${type}: ${text.slice(0, 1000)}`
    return { payload: errorPayload(threw), threw }
  }
}

/** Returns the trace header of an event, in the form of X-Ray. */
export function traceOf({ context, requestId }: Call): string {
  const { traceparent } = context ?? {}
  const span = typeof traceparent === 'string' ? fromTraceparent(traceparent) : undefined
  return toTraceHeader(span ?? invocationSpan(requestId, 1, {}))
}

/** Returns a value as JSON in ASCII, for a header. */
function asciiJson(value: unknown): string | undefined {
  return JSON.stringify(value)?.replace(
    /[\u007f-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Returns a text that can be a header. */
function printable(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\x20-\x7e]+$/.test(value) ? value : undefined
}

/** Refuses a request of a runtime or an extension. */
export function refuse(
  response: ServerResponse,
  status: number,
  errorType: string,
  errorMessage: string,
): void {
  respondWith(response, status, { errorMessage, errorType })
}

/** Answers a request of a runtime or an extension. */
export function respondWith(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(body))
}
