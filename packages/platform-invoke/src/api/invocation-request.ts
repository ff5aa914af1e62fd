import type { IncomingMessage, ServerResponse } from 'node:http'
import { isObject } from '@signalbox/codec'
import { type Body, type MemoryBudget, readBody } from '@signalbox/platform-runtime/listener'
import { namedFunction } from './function-name.ts'
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
}

/** The maximum size of an event in bytes, by invocation type. */
const limits = { RequestResponse: 6 * 1024 * 1024, DryRun: 6 * 1024 * 1024, Event: 1024 * 1024 }

/** The maximum size of a client context in bytes of base64, as on AWS. */
const clientContextLimit = 3583

/** The only version that a function of the platform has. */
export const executedVersion = '$LATEST'

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
      'The only operation is POST /2015-03-31/functions/NAME/invocations.',
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
  return {
    functionName: name,
    type: type as InvocationType,
    wantsLog: headers['x-amz-log-type'] === 'Tail',
    clientContext: clientContextOf(headers['x-amz-client-context']?.toString()),
    tenantId: tenantOf(headers['x-amz-tenant-id']?.toString(), known.get(name)!.isIsolated),
  }
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
): Promise<{ readonly text: string; readonly bytes: Uint8Array } | undefined> {
  const body: Body = await readBody(request, limits[type], memory, response)
  if (body === 'aborted') return undefined
  if (body === 'too slow') throw new InvokeError('RequestTimeoutException', 'The request took too long.')
  if (body === 'no memory') throw new InvokeError('ServiceUnavailableException', 'Too many requests.')
  if (body === 'too large')
    throw new InvokeError(
      'RequestTooLargeException',
      `Request must be smaller than ${limits[type]} bytes for the InvokeFunction operation`,
    )
  const { bytes } = body
  const text = decodedText(bytes)
  if (text === '') return { text: '{}', bytes }
  try {
    JSON.parse(text)
    return { text, bytes }
  } catch (error) {
    throw unreadable((error as Error).message)
  }
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
