import { createHash } from 'node:crypto'
import { functionArn } from '@signalbox/platform-runtime'
import type { EventSettings } from '../config/invoke-part.ts'
import { executedVersion } from '../executions/execution-arn.ts'
import { InvokeError } from './invoke-error.ts'
import { functionNameOf, type Operation, type OperationRequest, pageOf, uuidOf } from './operation.ts'

const functionPath = (end: string, version = '2015-03-31') =>
  new RegExp(`^/${version}/functions/([^/]+)${end}$`)

const ofFunction = async (request: OperationRequest) => functionNameOf(request)
const ofAll = async () => '*'

const read = { method: 'GET', right: 'read' } as const

/** The operations with which SDKs and providers see the functions of a configuration, as AWS Lambda has them. */
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
]

const settingsOf = (request: OperationRequest): EventSettings =>
  request.functions.get(functionNameOf(request))!

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
