import { createHash } from 'node:crypto'
import type { Location, QueueSender } from '@signalbox/platform-runtime'
import type { EventSettings } from '../config/invoke-part.ts'
import type { Executions } from '../executions/executions.ts'
import { namedFunction } from '../executions/function-name.ts'
import type { ShownTime } from '../executions/operation-shape.ts'
import type { FunctionRight } from './caller.ts'
import { InvokeError } from './invoke-error.ts'

/** A request for an operation other than Invoke. */
export interface OperationRequest {
  /** The decoded part of the path that names a resource. Empty when the operation is about all of them. */
  readonly subject: string
  readonly query: URLSearchParams
  readonly body: string
  /** The executions of durable functions. Operations on them are served only when there are such functions. */
  readonly executions: Executions
  readonly functions: ReadonlyMap<string, EventSettings>
  /** The functions of queues. Undefined when the platform has no queues. */
  readonly queues: Pick<QueueSender, 'mappings' | 'changeMapping'> | undefined
  readonly location: Location
  /** Milliseconds since the epoch at which the platform started. */
  readonly startedAt: number
  /** Returns a time of the storage in seconds since the epoch. */
  readonly time: ShownTime
}

/** An operation of AWS Lambda other than Invoke. */
export interface Operation {
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly path: RegExp
  /** The right over the function that a client needs. Absent when the token of an execution is the right. */
  readonly right?: FunctionRight
  /** Returns the queue that the request changes, over which a client needs the right `administer`. */
  readonly queueOf?: (request: OperationRequest) => Promise<string>
  /** Returns the function that the request is about, or `*` for all functions. */
  readonly functionOf: (request: OperationRequest) => Promise<string>
  /** The status of the answer. Default 200. */
  readonly status?: number
  /** Returns the answer, as a JSON value. */
  readonly run: (request: OperationRequest) => Promise<object>
}

/**
 * Returns the function that the path of a request names.
 * @throws InvokeError for a function that does not exist
 */
export function functionNameOf({
  subject,
  functions,
}: Pick<OperationRequest, 'subject' | 'functions'>): string {
  const { name } = namedFunction(subject) ?? {}
  if (name !== undefined && functions.has(name)) return name
  throw new InvokeError('ResourceNotFoundException', `Function not found: ${subject}`)
}

/**
 * Returns a whole number. Returns undefined for a parameter that the client did not send.
 * @throws InvokeError for a number that is not whole, or out of bounds
 */
export function numberOf(text: string | null, name: string, least: number, most: number): number | undefined {
  if (text === null || text === '') return undefined
  const value = Number(text)
  if (Number.isInteger(value) && value >= least && value <= most) return value
  throw new InvokeError(
    'InvalidParameterValueException',
    `${name} must be an integer from ${least} to ${most}.`,
  )
}

/** Returns a page of a list. The marker is the position after it. */
export function pageOf<T>(all: readonly T[], { query }: Pick<OperationRequest, 'query'>) {
  const start = numberOf(query.get('Marker'), 'Marker', 0, Number.MAX_SAFE_INTEGER) ?? 0
  const limit = numberOf(query.get('MaxItems'), 'MaxItems', 1, 10_000) ?? 100
  const end = start + limit
  return { items: all.slice(start, end), next: end < all.length ? String(end) : undefined }
}

/** Returns an id in the form of a UUID that is the same for the same text. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  )
}
