import { formatProblems, problems } from '@signalbox/codec'
import type { Location } from '@signalbox/platform-runtime'
import type * as t from 'io-ts'
import { StoppingError, UnknownExecutionError } from '../executions/awaited-executions.ts'
import { executionArn, namedExecution } from '../executions/execution-arn.ts'
import { CallbackClosedError } from '../executions/executions.ts'
import { CheckpointInput, ErrorInput } from '../executions/inputs.ts'
import { type ShownTime, shownEvent, shownOperation } from '../executions/operation-shape.ts'
import { byteLength, InvalidChangeError, knownError, updateLimits } from '../executions/update-problem.ts'
import {
  type ErrorObject,
  type Execution,
  type ExecutionStatus,
  type ExecutionSummary,
  executionLimits,
  executionStatuses,
} from '../store/execution.ts'
import { InvokeError } from './invoke-error.ts'
import { functionNameOf, numberOf, type Operation, type OperationRequest } from './operation.ts'

const executionPath = (end: string) => new RegExp(`^/2025-12-01/durable-executions/([^/]+)${end}$`)
const callbackPath = (end: string) => new RegExp(`^/2025-12-01/durable-execution-callbacks/([^/]+)/${end}$`)

// The operation compares the ARN with that of the execution, so that nobody reaches another function's by a wrong name.
const ofExecution = async (request: OperationRequest) => namedBy(request).functionName
const ofCallback = async ({ subject, executions }: OperationRequest) =>
  (await executions.ofCallback(subject)).functionName

/** The operations on executions of durable functions, as AWS Lambda has them. */
export const executionOperations: readonly Operation[] = [
  {
    ...{ name: 'CheckpointDurableExecution', method: 'POST', path: executionPath('/checkpoint') },
    functionOf: ofExecution,
    async run(request) {
      const input = inputOf(CheckpointInput, request)
      const { token, operations } = await request.executions.checkpoint(namedBy(request).id, input)
      return { CheckpointToken: token, NewExecutionState: { Operations: shown(operations, request) } }
    },
  },
  {
    ...{ name: 'GetDurableExecutionState', method: 'GET', path: executionPath('/state') },
    functionOf: ofExecution,
    async run(request) {
      const { query, executions } = request
      const { id, token } = await executionOf(request)
      if (token === undefined || query.get('CheckpointToken') !== token)
        throw new InvalidChangeError('Invalid checkpoint token')
      const after = numberOf(query.get('Marker'), 'Marker', -1, 2 ** 31 - 1) ?? -1
      const limit = numberOf(query.get('MaxItems'), 'MaxItems', 0, 1000) || 1000
      const { operations, hasMore } = await executions.store.operations(id, {
        ...{ after, limit, bytes: executionLimits.page },
      })
      return {
        Operations: shown(operations, request),
        NextMarker: hasMore ? String(operations.at(-1)!.number) : undefined,
      }
    },
  },
  {
    ...{ name: 'GetDurableExecution', method: 'GET', path: executionPath(''), right: 'read' },
    functionOf: ofExecution,
    async run(request) {
      const { executions, location, functions, time } = request
      const execution = await executionOf(request)
      const { result, error, trace, functionName } = execution
      const withData = wantsData(request, true)
      const first = withData ? await executions.store.operation(execution.id, execution.id) : undefined
      const durable = functions.get(functionName)?.durable
      return {
        ...summaryOf(execution, location, time),
        ...{ Version: '$LATEST', ExecutionDataIncluded: withData },
        ...(withData && { InputPayload: first?.payload, Result: result, Error: error }),
        TraceHeader: trace === undefined ? undefined : { XAmznTraceId: trace },
        DurableConfig: durable && {
          ExecutionTimeout: durable.timeout / 1000,
          RetentionPeriodInDays: durable.retention / day,
        },
      }
    },
  },
  {
    ...{ name: 'GetDurableExecutionHistory', method: 'GET', path: executionPath('/history'), right: 'read' },
    functionOf: ofExecution,
    async run(request) {
      const { query, executions, time } = request
      const { id } = await executionOf(request)
      const limit = numberOf(query.get('MaxItems'), 'MaxItems', 0, 1000) || 100
      const after = numberOf(query.get('Marker'), 'Marker', 0, 2 ** 31 - 1)
      const { events, hasMore } = await executions.store.history(id, {
        ...{ after, limit, bytes: executionLimits.page, newestFirst: flagOf(query, 'ReverseOrder') },
      })
      const withData = wantsData(request, false)
      return {
        Events: events.map(each => shownEvent(each, withData, time)),
        NextMarker: hasMore ? String(events.at(-1)!.EventId) : undefined,
      }
    },
  },
  {
    ...{ name: 'StopDurableExecution', method: 'POST', path: executionPath('/stop'), right: 'stop' },
    functionOf: ofExecution,
    async run(request) {
      const error = request.body === '' ? undefined : errorIn(request)
      const { endedAt } = await request.executions.stopExecution((await executionOf(request)).id, error)
      return { StopTimestamp: request.time(endedAt!) }
    },
  },
  {
    ...{ name: 'ListDurableExecutionsByFunction', method: 'GET', right: 'read' },
    path: /^\/2025-12-01\/functions\/([^/]+)\/durable-executions$/,
    functionOf: async request => functionNameOf(request),
    async run(request) {
      const { query, executions, location, time } = request
      const limit = numberOf(query.get('MaxItems'), 'MaxItems', 0, 1000) || 100
      const found = await executions.store.list({
        functionName: functionNameOf(request),
        name: query.get('DurableExecutionName') ?? undefined,
        statuses: statusesOf(query.getAll('Statuses')),
        startedAfter: timeOf(query.get('StartedAfter'), 'StartedAfter'),
        startedBefore: timeOf(query.get('StartedBefore'), 'StartedBefore'),
        newestFirst: flagOf(query, 'ReverseOrder'),
        after: numberOf(query.get('Marker'), 'Marker', 0, Number.MAX_SAFE_INTEGER),
        limit,
      })
      return {
        DurableExecutions: found.map(each => summaryOf(each, location, time)),
        NextMarker: found.length === limit ? String(found.at(-1)!.number) : undefined,
      }
    },
  },
  {
    ...{ name: 'SendDurableExecutionCallbackSuccess', method: 'POST', right: 'callback' },
    ...{ path: callbackPath('succeed'), functionOf: ofCallback },
    async run({ subject, body, executions }) {
      if (byteLength(body) > updateLimits.payload)
        throw new InvokeError(
          'InvalidParameterValueException',
          `Result must have at most ${updateLimits.payload} bytes.`,
        )
      await executions.endCallback(subject, { payload: body === '' ? undefined : body })
      return {}
    },
  },
  {
    ...{ name: 'SendDurableExecutionCallbackFailure', method: 'POST', right: 'callback' },
    ...{ path: callbackPath('fail'), functionOf: ofCallback },
    async run(request) {
      const error = errorIn(request)
      await request.executions.endCallback(request.subject, { error })
      return {}
    },
  },
  {
    ...{ name: 'SendDurableExecutionCallbackHeartbeat', method: 'POST', right: 'callback' },
    ...{ path: callbackPath('heartbeat'), functionOf: ofCallback },
    async run({ subject, executions }) {
      await executions.endCallback(subject, 'heartbeat')
      return {}
    },
  },
]

const day = 24 * 60 * 60_000

/** Returns the error of the API for what an operation threw. Undefined for anything unexpected. */
export function executionRefusal(error: unknown): InvokeError | undefined {
  if (error instanceof StoppingError) return new InvokeError('ServiceUnavailableException', error.message)
  if (error instanceof RangeError)
    return new InvokeError('InvalidParameterValueException', 'The request is nested too deeply.')
  if (error instanceof InvalidChangeError)
    return new InvokeError('InvalidParameterValueException', error.message)
  if (error instanceof UnknownExecutionError)
    return new InvokeError('ResourceNotFoundException', error.message)
  if (error instanceof CallbackClosedError) return new InvokeError('CallbackTimeoutException', error.message)
  return undefined
}

const flagOf = (query: URLSearchParams, name: string): boolean => query.get(name) === 'true'

function wantsData({ query }: OperationRequest, fallback: boolean): boolean {
  const value = query.get('IncludeExecutionData')
  return value === null ? fallback : value === 'true'
}

function timeOf(text: string | null, name: string): number | undefined {
  if (text === null) return undefined
  const seconds = Number(text)
  const time = Number.isNaN(seconds) ? Date.parse(text) : seconds * 1000
  if (Math.abs(time) <= 8.64e15) return time
  throw new InvokeError('InvalidParameterValueException', `${name} must be a time.`)
}

function statusesOf(values: readonly string[]): readonly ExecutionStatus[] | undefined {
  const known: readonly string[] = executionStatuses
  const unknown = values.find(value => !known.includes(value))
  if (unknown !== undefined)
    throw new InvokeError(
      'InvalidParameterValueException',
      `Statuses must be of ${executionStatuses.join(', ')}.`,
    )
  return values.length === 0 ? undefined : (values as readonly ExecutionStatus[])
}

function namedBy({ subject }: OperationRequest) {
  const named = namedExecution(subject)
  if (named !== undefined) return named
  throw new InvokeError(
    'InvalidParameterValueException',
    'DurableExecutionArn must be the ARN of an execution.',
  )
}

async function executionOf(request: OperationRequest): Promise<Execution> {
  const execution = await request.executions.store.read(namedBy(request).id)
  if (execution === undefined || executionArn(execution, request.location) !== request.subject)
    throw new UnknownExecutionError(`Durable execution not found: ${request.subject}`)
  return execution
}

function inputOf<A>(codec: t.Type<A, unknown>, { body }: OperationRequest): A {
  const input = parsed(body)
  const found = problems(codec, input)
  if (found.length === 0) return input as A
  throw new InvokeError('InvalidParameterValueException', `Invalid request: ${formatProblems(found)}`)
}

function errorIn(request: OperationRequest): ErrorObject {
  if (byteLength(request.body) > updateLimits.error)
    throw new InvokeError(
      'InvalidParameterValueException',
      `Error object size must be less than ${updateLimits.error} bytes.`,
    )
  return knownError(inputOf(ErrorInput, request))
}

function parsed(body: string): unknown {
  try {
    return body === '' ? {} : JSON.parse(body)
  } catch (error) {
    throw new InvokeError(
      'InvalidRequestContentException',
      `Could not parse request body into json: ${(error as Error).message}`,
    )
  }
}

const shown = (operations: readonly Parameters<typeof shownOperation>[0][], { time }: OperationRequest) =>
  operations.map(each => shownOperation(each, time))

function summaryOf(execution: ExecutionSummary, location: Location, time: ShownTime): object {
  const arn = executionArn(execution, location)
  return {
    DurableExecutionArn: arn,
    DurableExecutionName: execution.name,
    FunctionArn: arn.slice(0, arn.indexOf('/durable-execution/')),
    Status: execution.status,
    StartTimestamp: time(execution.startedAt),
    EndTimestamp: execution.endedAt === undefined ? undefined : time(execution.endedAt),
  }
}
