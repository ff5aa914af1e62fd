import { createHash } from 'node:crypto'
import { functionArn, type QueueMapping } from '@signalbox/platform-runtime'
import type { EventSettings } from '../config/invoke-part.ts'
import { executedVersion } from '../executions/execution-arn.ts'
import { InvokeError } from './invoke-error.ts'
import { functionNameOf, numberOf, type Operation, type OperationRequest } from './operation.ts'

const functionPath = (end: string, version = '2015-03-31') =>
  new RegExp(`^/${version}/functions/([^/]+)${end}$`)
const mappingsPath = /^\/2015-03-31\/event-source-mappings()$/
const mappingPath = /^\/2015-03-31\/event-source-mappings\/([\w-]+)$/

const ofFunction = async (request: OperationRequest) => functionNameOf(request)
const ofAll = async () => '*'
const ofMapping = async (request: OperationRequest) => mappingOf(request).functionName

const read = { method: 'GET', right: 'read' } as const

/**
 * The operations with which SDKs and providers see the functions of a configuration and the queues that call them, as AWS
 * Lambda has them. What would change the configuration is refused.
 */
export const functionOperations: readonly Operation[] = [
  {
    ...{ name: 'ListFunctions', ...read, path: /^\/2015-03-31\/functions()$/, functionOf: ofAll },
    run: async request => {
      const { items, next } = pageOf([...request.functions.values()], request)
      return { Functions: items.map(each => configurationOf(each, request)), NextMarker: next }
    },
  },
  {
    ...{ name: 'GetFunction', ...read, path: functionPath(''), functionOf: ofFunction },
    run: async request => ({
      Configuration: configurationOf(settingsOf(request), request),
      Code: { RepositoryType: 'S3' },
      Tags: {},
    }),
  },
  {
    ...{ name: 'GetFunctionConfiguration', ...read, path: functionPath('/configuration') },
    functionOf: ofFunction,
    run: async request => configurationOf(settingsOf(request), request),
  },
  {
    ...{ name: 'ListVersionsByFunction', ...read, path: functionPath('/versions'), functionOf: ofFunction },
    async run(request) {
      const { FunctionArn, ...configuration } = configurationOf(settingsOf(request), request)
      return { Versions: [{ ...configuration, FunctionArn: `${FunctionArn}:${executedVersion}` }] }
    },
  },
  {
    ...{ name: 'ListAliases', ...read, path: functionPath('/aliases'), functionOf: ofFunction },
    run: async () => ({ Aliases: [] }),
  },
  {
    ...{ name: 'GetFunctionCodeSigningConfig', ...read, functionOf: ofFunction },
    path: functionPath('/code-signing-config', '2020-06-30'),
    run: async request => ({ FunctionName: functionNameOf(request) }),
  },
  {
    ...{ name: 'GetFunctionConcurrency', ...read, functionOf: ofFunction },
    path: functionPath('/concurrency', '2019-09-30'),
    run: async request => ({ ReservedConcurrentExecutions: settingsOf(request).concurrency }),
  },
  {
    ...{ name: 'GetPolicy', ...read, path: functionPath('/policy'), functionOf: ofFunction },
    run: async () => {
      throw new InvokeError('ResourceNotFoundException', 'The resource you requested does not exist.')
    },
  },
  {
    ...{ name: 'ListTags', ...read, path: /^\/2017-03-31\/tags\/([^/]+)$/, functionOf: ofFunction },
    run: async () => ({ Tags: {} }),
  },
  {
    ...{ name: 'ListEventSourceMappings', ...read, path: mappingsPath, functionOf: ofAll },
    async run(request) {
      const { query, mappings, location } = request
      const subject = query.get('FunctionName')
      const functionName = subject === null ? undefined : functionNameOf({ ...request, subject })
      const source = query.get('EventSourceArn') ?? undefined
      const wanted = mappings.filter(
        each =>
          (functionName === undefined || each.functionName === functionName) &&
          (source === undefined || each.queueArn === source),
      )
      const { items, next } = pageOf(wanted, request)
      return {
        EventSourceMappings: items.map(each => shownMapping(each, request, location)),
        NextMarker: next,
      }
    },
  },
  {
    ...{ name: 'GetEventSourceMapping', ...read, path: mappingPath, functionOf: ofMapping },
    run: async request => shownMapping(mappingOf(request), request, request.location),
  },
  {
    ...{ name: 'CreateEventSourceMapping', method: 'POST', right: 'read', path: mappingsPath },
    functionOf: ofAll,
    async run({ body, mappings, functions }) {
      const wanted = JSON.parse(body || '{}') as {
        readonly FunctionName?: unknown
        readonly EventSourceArn?: unknown
      }
      const functionName = functionNameOf({ subject: String(wanted.FunctionName), functions })
      const found = mappings.find(
        each => each.functionName === functionName && each.queueArn === wanted.EventSourceArn,
      )
      if (found === undefined) throw unchangeable()
      throw new InvokeError(
        'ResourceConflictException',
        `An event source mapping with SQS arn (" ${found.queueArn} ") and function (" ${functionName} ") already exists. Please update or delete the existing mapping with UUID ${idOf(found)}`,
      )
    },
  },
  ...(['PUT', 'DELETE'] as const).map(method => ({
    ...{ name: method === 'PUT' ? 'UpdateEventSourceMapping' : 'DeleteEventSourceMapping', method },
    ...{ right: 'read' as const, path: mappingPath, functionOf: ofMapping },
    run: async () => {
      throw unchangeable()
    },
  })),
]

const unchangeable = () =>
  new InvokeError(
    'InvalidParameterValueException',
    'The configuration of the platform says which functions get the messages of a queue: set queues.NAME.function there.',
  )

const settingsOf = (request: OperationRequest): EventSettings =>
  request.functions.get(functionNameOf(request))!

/** Returns a page of a list. The marker is the position after it. */
function pageOf<T>(all: readonly T[], { query }: OperationRequest) {
  const start = numberOf(query.get('Marker'), 'Marker', 0, Number.MAX_SAFE_INTEGER) ?? 0
  const limit = numberOf(query.get('MaxItems'), 'MaxItems', 1, 10_000) ?? 100
  const end = start + limit
  return { items: all.slice(start, end), next: end < all.length ? String(end) : undefined }
}

function configurationOf(
  { functionName, memory, timeout, runtime, handler, isIsolated, durable }: EventSettings,
  { location, startedAt }: OperationRequest,
) {
  const FunctionArn = functionArn(functionName, location)
  return {
    ...{ FunctionName: functionName, FunctionArn, Runtime: runtime, Handler: handler },
    ...{ Role: `arn:aws:iam::${location.account}:role/signalbox`, Description: '', CodeSize: 0 },
    ...{ Timeout: Math.max(1, Math.ceil(timeout / 1000)), MemorySize: memory, Version: executedVersion },
    LastModified: new Date(startedAt).toISOString().replace('Z', '+0000'),
    CodeSha256: createHash('sha256').update(FunctionArn).digest('base64'),
    ...{ RevisionId: uuidOf(FunctionArn), State: 'Active', LastUpdateStatus: 'Successful' },
    ...{ PackageType: 'Zip', Architectures: ['x86_64'], EphemeralStorage: { Size: 512 } },
    ...{ TracingConfig: { Mode: 'PassThrough' }, SnapStart: { ApplyOn: 'None', OptimizationStatus: 'Off' } },
    TenancyConfig: isIsolated ? { TenantIsolationMode: 'PER_TENANT' } : undefined,
    DurableConfig: durable && {
      ExecutionTimeout: durable.timeout / 1000,
      RetentionPeriodInDays: durable.retention / (24 * 60 * 60_000),
    },
  }
}

const idOf = ({ queueArn, functionName }: QueueMapping): string => uuidOf(`${queueArn} ${functionName}`)

/** Returns an id in the form of a UUID that is the same for the same text. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}

/** @throws InvokeError when there is no such mapping */
function mappingOf({ subject, mappings }: OperationRequest): QueueMapping {
  const found = mappings.find(each => idOf(each) === subject)
  if (found !== undefined) return found
  throw new InvokeError('ResourceNotFoundException', 'The resource you requested does not exist.')
}

function shownMapping(
  mapping: QueueMapping,
  { startedAt }: OperationRequest,
  location: OperationRequest['location'],
): object {
  const { queueArn, functionName, batchSize, batchWindow, filter, maximumConcurrency } = mapping
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
    ...{ LastModified: startedAt / 1000, State: 'Enabled', StateTransitionReason: 'USER_INITIATED' },
  }
}
