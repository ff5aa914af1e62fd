import type { IncomingMessage, ServerResponse } from 'node:http'
import { isObject } from '@signalbox/codec'
import { type Body, type MemoryBudget, readBody } from '@signalbox/platform-runtime/listener'
import { executedVersion } from '../executions/execution-arn.ts'
import { namedFunction } from '../executions/function-name.ts'
import { InvokeError } from './invoke-error.ts'

/** The type of an invocation, as in the header `X-Amz-Invocation-Type`. */
export type InvocationType = 'RequestResponse' | 'Event' | 'DryRun'

const invocationTypes: readonly string[] = ['RequestResponse', 'Event', 'DryRun'] satisfies InvocationType[]

/** The parts of an Invoke request that come before its body. */
export interface InvocationHead {
  readonly functionName: string
  readonly type: InvocationType
  /** Whether the client wants the last part of the function's log in the response. */
  readonly wantsLog: boolean
  /** The client context as a JSON string. */
  readonly clientContext: string | undefined
  /** The tenant for whom the function runs. */
  readonly tenantId: string | undefined
  /** The name of the execution of a durable function. */
  readonly executionName: string | undefined
}

/** The maximum size of an event in bytes, by invocation type. */
const limits = { RequestResponse: 6 * 1024 * 1024, DryRun: 6 * 1024 * 1024, Event: 1024 * 1024 }

/** The maximum size of a client context in bytes of base64, as on AWS. */
const clientContextLimit = 3583

/**
 * Reads the head of a request.
 * @throws InvokeError for a request that is not a valid invocation of one of these functions
 */
export function invocationHead(
  { method, url = '', headers }: IncomingMessage,
  resourceName: (functionName: string) => string,
  known: ReadonlyMap<string, { readonly isIsolated: boolean }>,
): InvocationHead {
  const [, segment, query = ''] =
    /^\/2015-03-31\/functions\/([^/?]+)\/invocations\/?(?:\?(.*))?$/.exec(url) ?? []
  if (method !== 'POST' || segment === undefined)
    throw new InvokeError(
      'UnknownOperationException',
      'The operations are POST /2015-03-31/functions/NAME/invocations, and those on durable executions.',
    )
  const named = namedFunction(decoded(segment))
  if (named === undefined)
    throw new InvokeError(
      'InvalidParameterValueException',
      'functionName must be a name or a resource name of a function.',
    )
  const { name, qualifier = new URLSearchParams(query).get('Qualifier') ?? executedVersion } = named
  if (!known.has(name) || qualifier !== executedVersion) {
    const version = qualifier === executedVersion ? '' : `:${qualifier}`
    throw new InvokeError('ResourceNotFoundException', `Function not found: ${resourceName(name)}${version}`)
  }
  const type = headers['x-amz-invocation-type'] ?? 'RequestResponse'
  if (!invocationTypes.includes(String(type)))
    throw new InvokeError(
      'InvalidParameterValueException',
      `invocationType must be one of ${invocationTypes.join(', ')}.`,
    )
  const logType = headers['x-amz-log-type'] ?? 'None'
  if (logType !== 'None' && logType !== 'Tail')
    throw new InvokeError('InvalidParameterValueException', 'logType must be one of None, Tail.')
  return {
    functionName: name,
    type: type as InvocationType,
    wantsLog: logType === 'Tail',
    clientContext: clientContextOf(headers['x-amz-client-context']?.toString()),
    tenantId: tenantOf(headers['x-amz-tenant-id']?.toString(), known.get(name)!.isIsolated),
    executionName: executionNameOf(headers['x-amz-durable-execution-name']?.toString()),
  }
}

function executionNameOf(header: string | undefined): string | undefined {
  if (header === undefined || /^[\w-]{1,64}$/.test(header)) return header
  throw new InvokeError(
    'InvalidParameterValueException',
    'durableExecutionName must have 1 to 64 letters, digits, - and _.',
  )
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

function tenantOf(header: string | undefined, isNeeded: boolean): string | undefined {
  if (header === undefined && isNeeded)
    throw new InvokeError(
      'InvalidParameterValueException',
      'The invoked function is enabled with tenancy configuration. Add a valid tenant ID in your request and try again.',
    )
  if (header !== undefined && !/^[\w.:/=+@ -]{1,256}$/.test(header))
    throw new InvokeError(
      'InvalidParameterValueException',
      'tenantId must have 1 to 256 letters, digits, spaces and characters of _.:/=+-@.',
    )
  return header
}

function clientContextOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  if (header.length > clientContextLimit)
    throw new InvokeError(
      'InvalidRequestContentException',
      `Client context must be less than ${clientContextLimit + 1} bytes in base64.`,
    )
  const text = Buffer.from(header, 'base64').toString()
  try {
    if (isObject(JSON.parse(text))) return text
  } catch {
    // Invalid JSON also leads to the error below.
  }
  throw new InvokeError('InvalidRequestContentException', 'Client context must be a JSON object in base64.')
}

/**
 * Reads an event. An empty body counts as an empty object. Returns undefined when the client disconnected.
 * @throws InvokeError for a body that is too large, is not JSON or arrives too slowly
 */
export async function readEvent(
  request: IncomingMessage,
  type: InvocationType,
  memory: MemoryBudget,
  response: ServerResponse,
): Promise<ReadBody | undefined> {
  const body = await readText(request, limits[type], memory, response, 'InvokeFunction')
  if (body === undefined) return undefined
  if (body.text === '') return { text: '{}', bytes: body.bytes }
  try {
    JSON.parse(body.text)
    return body
  } catch (error) {
    throw unreadable((error as Error).message)
  }
}

/** The body of a request as text, and as it was signed. */
export interface ReadBody {
  readonly text: string
  readonly bytes: Uint8Array
}

/**
 * Reads a body. Returns undefined when the client disconnected.
 * @throws InvokeError for a body that is larger than `limit` bytes, is not UTF-8 or arrives too slowly
 */
export async function readText(
  request: IncomingMessage,
  limit: number,
  memory: MemoryBudget,
  response: ServerResponse,
  operation: string,
): Promise<ReadBody | undefined> {
  const body: Body = await readBody(request, limit, memory, response)
  if (body === 'aborted') return undefined
  if (body === 'too slow') throw new InvokeError('RequestTimeoutException', 'The request took too long.')
  if (body === 'no memory') throw new InvokeError('ServiceUnavailableException', 'Too many requests.')
  if (body === 'too large')
    throw new InvokeError(
      'RequestTooLargeException',
      `Request must be smaller than ${limit} bytes for the ${operation} operation`,
    )
  return { text: decodedText(body.bytes), bytes: body.bytes }
}

function decodedText(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw unreadable('Invalid UTF-8')
  }
}

function unreadable(why: string): InvokeError {
  return new InvokeError(
    'InvalidRequestContentException',
    `Could not parse request body into json: Could not parse payload into json: ${why}`,
  )
}
