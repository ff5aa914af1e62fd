import type { IncomingMessage, ServerResponse } from 'node:http'
import { readPayload } from '@signalbox/core/payload'
import {
  failurePayload,
  functionArn,
  type Invocation,
  type OpenContext,
  type QueueSender,
  randomUuid,
  timeoutMessage,
} from '@signalbox/platform-runtime'
import {
  clientNetwork,
  type HttpListener,
  hasOwnHost,
  httpListener,
  memoryBudget,
  outsideRefusal,
  requestCounts,
  servesWithoutKey,
} from '@signalbox/platform-runtime/listener'
import {
  activeSpan,
  causeOf,
  inAcceptSpan,
  toTraceparent,
  traceIdOf,
} from '@signalbox/platform-runtime/traces'
import type { InvokeSettings } from '../config/invoke-part.ts'
import { executedVersion, executionArn } from '../executions/execution-arn.ts'
import type { Executions } from '../executions/executions.ts'
import { endOf } from '../executions/operation-shape.ts'
import { contextOf, type NewEvent } from '../store/event-store.ts'
import { EventStoreFullError } from '../store/event-store-full-error.ts'
import { hasEnded } from '../store/execution.ts'
import { ExecutionStoreFullError } from '../store/execution-store-full-error.ts'
import { callerOf } from './caller.ts'
import { executionRefusal } from './execution-operations.ts'
import {
  type InvocationHead,
  invocationHead,
  type ReadBody,
  readEvent,
  readText,
} from './invocation-request.ts'
import { InvokeError, rateExceeded } from './invoke-error.ts'
import { logTail } from './log-tail.ts'
import { type NamedOperation, namedOperation } from './named-operation.ts'
import type { OperationRequest } from './operation.ts'

/** The parts of the platform that the listener uses. */
export interface InvokeListenerContext
  extends Pick<OpenContext, 'dispatch' | 'clock' | 'random' | 'notice' | 'access' | 'traces' | 'meter'> {
  /** Stores an asynchronous event, so that it runs soon. Rejects with `EventStoreFullError` when there is no space. */
  readonly accept: (event: NewEvent) => Promise<void>
  /** The executions of durable functions. Undefined when no function is durable. */
  readonly executions: Executions | undefined
  /** Whether the platform is stopping, so that only running functions are served. */
  readonly isStopping: () => boolean
  /** Returns the queues, if the platform has them. */
  readonly queues: () => QueueSender | undefined
}

/** The maximum size of the body of an operation on executions, in bytes. A result of 6 MB may be escaped. */
const operationLimit = 13 * 1024 * 1024

/** Milliseconds that an execution may take for a client that waits. */
const longestSynchronous = 15 * 60_000

interface Answer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body?: string
}

/**
 * Serves the AWS Lambda operation Invoke. A function gets the event exactly as the client sent it, and the client gets
 * exactly what the function returned. No dialect translates either of them. With `access`, each client needs a key of
 * an identity that has the right to invoke the function. Requests from web pages are refused.
 */
export function invokeListener(
  { port, host, open: isOpen, names, tls, limits, location, functions }: InvokeSettings,
  {
    access,
    dispatch,
    clock,
    random,
    notice,
    traces,
    meter,
    accept,
    executions,
    queues,
    isStopping,
  }: InvokeListenerContext,
): HttpListener {
  const memory = memoryBudget(clock)
  const known = new Map(functions.map(each => [each.functionName, each]))
  const startedAt = clock.wall(clock.now())
  const resourceName = (name: string) => functionArn(name, location)

  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const requestId = randomUuid(random)
    response.once('close', () => memory.release(response))
    try {
      const answer = await answerTo(request, response, requestId)
      if (answer !== undefined) send(response, requestId, answer)
    } catch (error) {
      if (response.destroyed) return
      const refusal = refusalOf(error)
      if (refusal === unexplained) notice(`The Invoke API could not serve a request: ${String(error)}`)
      send(response, requestId, errorAnswer(refusal))
      // Discards the rest of the request.
      request.resume()
    }
  }

  async function answerTo(
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<Answer | undefined> {
    const { headers } = request
    if (!hasOwnHost(request, host, names))
      throw new InvokeError('AccessDeniedException', 'Invalid Host header.')
    if (headers.origin !== undefined)
      throw new InvokeError('AccessDeniedException', 'Web pages may not invoke functions.')
    if (access === undefined && !servesWithoutKey(request, isOpen))
      throw new InvokeError('AccessDeniedException', outsideRefusal)
    const named = namedOperation(request, executions !== undefined)
    if (isStopping() && (named === undefined || named.operation.right !== undefined)) throw stopping
    if (named !== undefined) return answerToOperation(request, response, named)
    const caller = access && callerOf(access, request, resourceName)
    const head = invocationHead(request, resourceName, known)
    const { functionName, type, clientContext, tenantId } = head
    const read = await readEvent(request, type, memory, response)
    if (read === undefined) return undefined
    caller?.authorize(read.bytes, functionName)
    if (type === 'DryRun') return { status: 204 }
    if (known.get(functionName)!.durable !== undefined)
      return startExecution(head, read, request, response, requestId)
    const accepted = {
      ...{ cause: causeOf(headers), traceId: traceIdOf(requestId), name: 'Invoke' },
      attributes: { 'faas.invoked_name': functionName, 'faas.invocation.id': requestId },
      errorOf: (error: unknown) => refusalOf(error).type,
    }
    if (type === 'Event') {
      await inAcceptSpan(traces, accepted, () => {
        const trace = toTraceparent(activeSpan()!)
        return accept({ id: requestId, functionName, payload: read.text, clientContext, tenantId, trace })
      })
      return { status: 202, body: '' }
    }
    const invocation = await inAcceptSpan(traces, accepted, () =>
      dispatch({
        functionName,
        event: undefined,
        text: read.text,
        verbatim: true,
        context: contextOf(head),
        family: undefined,
        source: 'invoke',
        client: clientNetwork(request.socket.remoteAddress ?? ''),
        requestId,
        verdict: () => undefined,
        describe: () => undefined,
      }),
    )
    const now = Math.floor(clock.wall(clock.now()))
    return answerOf(invocation, now, head.wantsLog ? known.get(functionName)!.memory : undefined)
  }

  async function answerToOperation(
    request: IncomingMessage,
    response: ServerResponse,
    { operation, subject, query }: NamedOperation,
  ): Promise<Answer | undefined> {
    const { name, right } = operation
    // A function proves with the token of its execution that it may change it. It needs no key.
    const caller = right && access && callerOf(access, request, resourceName, name)
    const read = await readText(request, operationLimit, memory, response, name)
    if (read === undefined) return undefined
    const time = (at: number) => clock.wall(at) / 1000
    const asked: OperationRequest = {
      ...{
        subject,
        query,
        body: read.text,
        executions: executions!,
        functions: known,
        location,
        time,
        startedAt,
        queues: queues(),
      },
    }
    if (right !== undefined && caller !== undefined) {
      const queue = await operation.queueOf?.(asked)
      caller.authorize(read.bytes, await operation.functionOf(asked), right, queue)
    }
    return { status: operation.status ?? 200, body: JSON.stringify(await operation.run(asked)) }
  }

  /** Starts an execution, and waits for its end if the client does. */
  async function startExecution(
    { functionName, type, tenantId, executionName }: InvocationHead,
    { text }: ReadBody,
    request: IncomingMessage,
    response: ServerResponse,
    requestId: string,
  ): Promise<Answer> {
    if (type === 'RequestResponse' && known.get(functionName)!.durable!.timeout > longestSynchronous)
      throw new InvokeError(
        'InvalidParameterValueException',
        'You cannot synchronously invoke a durable function with an executionTimeout greater than 15 minutes.',
      )
    const { execution, input } = await inAcceptSpan(
      traces,
      {
        ...{ cause: causeOf(request.headers), traceId: traceIdOf(requestId), name: 'Invoke' },
        attributes: { 'faas.invoked_name': functionName, 'faas.invocation.id': requestId },
        errorOf: error => refusalOf(error).type,
      },
      () => {
        const trace = toTraceparent(activeSpan()!)
        const onFailure = type === 'Event' ? known.get(functionName)!.onFailure : undefined
        return executions!.start({
          ...{ functionName, name: executionName, input: text, tenantId, trace, onFailure },
        })
      },
    )
    if (input !== text)
      throw new InvokeError(
        'DurableExecutionAlreadyStartedException',
        `An execution with the name ${execution.name} exists, with another input.`,
      )
    const headers = {
      'x-amz-durable-execution-arn': executionArn(execution, location),
      'x-amz-executed-version': executedVersion,
    }
    if (type === 'Event') return { status: 202, headers, body: '' }
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    if (response.destroyed) gone.abort()
    // One that has ended may be forgotten at any moment.
    const ended = hasEnded(execution) ? execution : await executions!.end(execution.id, gone.signal)
    const { payload, error } = endOf(ended)
    const failed = error !== undefined && { 'x-amz-function-error': 'Unhandled' }
    return { status: 200, headers: { ...headers, ...failed }, body: payload }
  }

  const explanation = 'This is the Invoke API of AWS Lambda over HTTP/1.1.'
  return httpListener(
    { what: 'The Invoke API', key: 'invoke.port', port, host, tls },
    {
      ...{ answersHalfClosed: true, explanation, limits, clock },
      count: requestCounts(meter, 'invoke'),
      throttle: (_request, response, seconds) =>
        send(response, randomUuid(random), errorAnswer(rateExceeded(seconds))),
    },
    { clock, notice },
    serve,
  )
}

/**
 * Returns the response to a synchronous call of a function.
 * @param memory the memory of the function in MB, for a client that wants its log
 */
function answerOf(
  { requestId, payload, failure, logs, duration }: Invocation<undefined>,
  now: number,
  memory: number | undefined,
): Answer {
  if (failure?.kind === 'unavailable') throw new InvokeError('TooManyRequestsException', failure.message)
  const call = { requestId, now }
  // Clients parse the body as JSON even when the function returned nothing.
  const body = failure === undefined ? payload || 'null' : failurePayload(failure, payload, call)
  const error = failure && readPayload(body)
  const errorType = error?.kind === 'error' ? error.errorType : undefined
  const late = failure?.kind === 'timeout' ? timeoutMessage(failure.message, call) : undefined
  return {
    status: 200,
    headers: {
      'x-amz-executed-version': executedVersion,
      ...(failure !== undefined && { 'x-amz-function-error': 'Unhandled' }),
      ...(memory !== undefined && {
        'x-amz-log-result': logTail({ requestId, logs, failure, errorType, late, duration, memory }),
      }),
    },
    body,
  }
}

function errorAnswer({ status, type, message, retryAfter }: InvokeError): Answer {
  return {
    status,
    headers: {
      'x-amzn-errortype': type,
      ...([408, 413, 503].includes(status) && { connection: 'close' }),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
    body: JSON.stringify({ Type: status < 500 ? 'User' : 'Service', Message: message }),
  }
}

const stopping = new InvokeError('ServiceUnavailableException', 'The platform is stopping.')

const unexplained = new InvokeError('ServiceException', 'Internal error.')

function refusalOf(error: unknown): InvokeError {
  if (error instanceof InvokeError) return error
  if (error instanceof EventStoreFullError || error instanceof ExecutionStoreFullError)
    return new InvokeError('ServiceUnavailableException', error.message)
  return executionRefusal(error) ?? unexplained
}

function send(response: ServerResponse, requestId: string, { status, headers, body }: Answer): void {
  if (response.destroyed || response.headersSent) return
  response.writeHead(status, {
    'x-amzn-requestid': requestId,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }),
    ...headers,
  })
  response.end(body)
}
