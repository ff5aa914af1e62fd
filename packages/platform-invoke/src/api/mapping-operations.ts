import { isObject } from '@signalbox/codec'
import {
  functionArn,
  type MappingChange,
  MappingRefusedError,
  type QueueMapping,
} from '@signalbox/platform-runtime'
import { InvokeError } from './invoke-error.ts'
import { mappingChange } from './mapping-change.ts'
import { functionNameOf, type Operation, type OperationRequest, pageOf, uuidOf } from './operation.ts'

const allPath = /^\/2015-03-31\/event-source-mappings()$/
const onePath = /^\/2015-03-31\/event-source-mappings\/([\w-]+)$/

const ofAll = async () => '*'
const ofMapping = async (request: OperationRequest) => (await mappingOf(request)).functionName
const queueOfMapping = async (request: OperationRequest) => queueName((await mappingOf(request)).queueArn)

/**
 * The operations about the queues that call functions, as AWS Lambda has them. Mappings of the configuration can be disabled and
 * enabled, and those that clients create can be changed and deleted, too. See docs/platform/invoke.md.
 */
export const mappingOperations: readonly Operation[] = [
  {
    ...{ name: 'ListEventSourceMappings', method: 'GET', right: 'read', path: allPath, functionOf: ofAll },
    async run(request) {
      const { query } = request
      const subject = query.get('FunctionName')
      const functionName = subject === null ? undefined : functionNameOf({ ...request, subject })
      const source = query.get('EventSourceArn') ?? undefined
      const wanted = (await mappingsOf(request)).filter(
        each =>
          (functionName === undefined || each.functionName === functionName) &&
          (source === undefined || each.queueArn === source),
      )
      const { items, next } = pageOf(wanted, request)
      return { EventSourceMappings: items.map(each => shownMapping(each, request)), NextMarker: next }
    },
  },
  {
    ...{ name: 'GetEventSourceMapping', method: 'GET', right: 'read', path: onePath, functionOf: ofMapping },
    run: async request => shownMapping(await mappingOf(request), request),
  },
  {
    ...{ name: 'CreateEventSourceMapping', method: 'POST', right: 'invoke', path: allPath, status: 202 },
    functionOf: async request => newMapping(request).functionName,
    queueOf: async request => queueName(newMapping(request).queueArn),
    async run(request) {
      const { functionName, queueArn, change } = newMapping(request)
      const found = (await mappingsOf(request)).find(
        each => each.functionName === functionName && each.queueArn === queueArn,
      )
      if (found !== undefined)
        throw new InvokeError(
          'ResourceConflictException',
          `An event source mapping with SQS arn (" ${queueArn} ") and function (" ${functionName} ") already exists. Please update or delete the existing mapping with UUID ${idOf(found)}`,
        )
      return shownMapping(await changed(request, queueArn, functionName, change), request)
    },
  },
  {
    ...{ name: 'UpdateEventSourceMapping', method: 'PUT', right: 'invoke', path: onePath, status: 202 },
    ...{ functionOf: ofMapping, queueOf: queueOfMapping },
    async run(request) {
      const { queueArn, functionName } = await mappingOf(request)
      const body = bodyOf(request)
      const { FunctionName } = body
      if (
        FunctionName !== undefined &&
        functionNameOf({ ...request, subject: String(FunctionName) }) !== functionName
      )
        throw new InvokeError(
          'InvalidParameterValueException',
          'FunctionName cannot change here: delete the mapping, and create one of the other function.',
        )
      return shownMapping(await changed(request, queueArn, functionName, mappingChange(body)), request)
    },
  },
  {
    ...{ name: 'DeleteEventSourceMapping', method: 'DELETE', right: 'invoke', path: onePath, status: 202 },
    ...{ functionOf: ofMapping, queueOf: queueOfMapping },
    async run(request) {
      const { queueArn, functionName } = await mappingOf(request)
      return shownMapping(await changed(request, queueArn, functionName, undefined), request)
    },
  },
]

async function mappingsOf({ queues }: OperationRequest): Promise<readonly QueueMapping[]> {
  return (await queues?.mappings()) ?? []
}

/** @throws InvokeError for a change that is refused, with the reason */
async function changed(
  { queues }: OperationRequest,
  queueArn: string,
  functionName: string,
  change: MappingChange | undefined,
): Promise<QueueMapping> {
  const refused = (message: string) => new InvokeError('InvalidParameterValueException', message)
  if (queues === undefined) throw refused('The platform has no queues: set queues in its configuration.')
  try {
    return await queues.changeMapping(queueArn, functionName, change)
  } catch (error) {
    throw error instanceof MappingRefusedError ? refused(error.message) : error
  }
}

/** @throws InvokeError for a body that is not a JSON object */
function bodyOf({ body }: OperationRequest): { readonly [name: string]: unknown } {
  try {
    const found: unknown = JSON.parse(body || '{}')
    if (isObject(found)) return found
  } catch {
    // Refused below.
  }
  throw new InvokeError('InvalidRequestContentException', 'Could not parse request body into json.')
}

/** Returns the mapping that a request creates. */
function newMapping(request: OperationRequest) {
  const body = bodyOf(request)
  const { FunctionName, EventSourceArn } = body
  if (typeof EventSourceArn !== 'string' || !/^arn:[^:]+:sqs:/.test(EventSourceArn))
    throw new InvokeError(
      'InvalidParameterValueException',
      'EventSourceArn must be the ARN of a queue, because only queues call functions here.',
    )
  const functionName = functionNameOf({ ...request, subject: String(FunctionName) })
  return { functionName, queueArn: EventSourceArn, change: mappingChange(body) }
}

const idOf = ({ queueArn, functionName }: QueueMapping): string => uuidOf(`${queueArn} ${functionName}`)

const queueName = (queueArn: string): string => queueArn.split(':').at(-1)!

/** @throws InvokeError when there is no such mapping */
async function mappingOf(request: OperationRequest): Promise<QueueMapping> {
  const found = (await mappingsOf(request)).find(each => idOf(each) === request.subject)
  if (found !== undefined) return found
  throw new InvokeError('ResourceNotFoundException', 'The resource you requested does not exist.')
}

function shownMapping(mapping: QueueMapping, { startedAt, location }: OperationRequest): object {
  const { queueArn, functionName, batchSize, batchWindow, filter, maximumConcurrency = 0 } = mapping
  const arn = functionArn(functionName, location)
  return {
    UUID: idOf(mapping),
    ...{ EventSourceArn: queueArn, FunctionArn: arn, BatchSize: batchSize },
    MaximumBatchingWindowInSeconds: batchWindow,
    ...(filter.length > 0 && {
      FilterCriteria: { Filters: filter.map(each => ({ Pattern: JSON.stringify(each) })) },
    }),
    ...(maximumConcurrency >= 2 && { ScalingConfig: { MaximumConcurrency: maximumConcurrency } }),
    FunctionResponseTypes: mapping.reportBatchItemFailures ? ['ReportBatchItemFailures'] : [],
    LastModified: (mapping.modifiedAt ?? startedAt) / 1000,
    ...{ State: mapping.state, StateTransitionReason: 'USER_INITIATED' },
  }
}
