import { createHash } from 'node:crypto'
import { type ExecutionState, maskText, type StartedExecution } from '@signalbox/platform-runtime'
import { statusCodes } from '@signalbox/platform-runtime/listener'
import type { ExecutionSettings } from '../config/load-balancer-settings.ts'
import { type PlainResponse, plainResponse } from './response/plain-response.ts'

/** The response to a request that started an execution, or that has the name of one. */
export function acceptedAnswer(payload: string, { statusPath }: ExecutionSettings): PlainResponse {
  const { id } = JSON.parse(payload) as StartedExecution
  const location = `${statusPath}/${id}`
  return json(202, { status: 'RUNNING', location }, [['location', location]])
}

/**
 * The response about an execution. Errors are masked, and have no stack.
 * @param state undefined when there is no such execution
 */
export function statusAnswer(state: ExecutionState | undefined, functionName: string): PlainResponse {
  // An id of another function's execution is as unknown as any other text.
  if (state === undefined || state.functionName !== functionName)
    return plainResponse(404, 'There is no such execution', [notKept])
  const { status, payload } = state
  if (status === 'RUNNING') return json(200, { status }, [['retry-after', '1']])
  if (status === 'SUCCEEDED') return json(200, `{"status":"SUCCEEDED","result":${asJson(payload)}}`)
  const { errorType, errorMessage } = JSON.parse(payload) as {
    readonly errorType?: string
    readonly errorMessage?: string
  }
  const message = errorMessage === undefined ? undefined : maskText(errorMessage).text
  return json(200, { status, error: { type: errorType, message } })
}

/** The response to another method than GET and HEAD. */
export const onlyRead: PlainResponse = plainResponse(405, 'Send GET', [['allow', 'GET, HEAD']])

/** The response to a key that others might have, too. */
export const badKey: PlainResponse = plainResponse(
  400,
  'An Idempotency-Key has 16 to 255 printable ASCII characters',
)

/**
 * Returns the name of the execution of a request with a key: a digest, in which everything is that distinguishes the
 * request from one of another client or with another content. Returns undefined for a request without a key, and null for
 * a key that is not valid.
 */
export function nameOfKey(
  key: string | undefined,
  ...distinguishing: readonly (string | Uint8Array | undefined)[]
): string | undefined | null {
  if (key === undefined) return undefined
  if (!/^[\x20-\x7e]{16,255}$/.test(key)) return null
  const digest = createHash('sha256')
  for (const part of [key, ...distinguishing]) {
    digest.update(`${part?.length ?? 'none'}:`)
    if (part !== undefined) digest.update(part)
  }
  return digest.digest('base64url')
}

/** Returns the id in the path of a request one segment below a status path. Undefined for another path. */
export function statusIdOf(path: string, { statusPath }: ExecutionSettings): string | undefined {
  const id = path.startsWith(`${statusPath}/`) ? path.slice(statusPath.length + 1) : ''
  return /^[\w-]+$/.test(id) ? id : undefined
}

/** Returns a result, which is not JSON when a function without an SDK returns any text, as JSON. */
function asJson(result: string): string {
  try {
    JSON.parse(result)
    return result
  } catch {
    return JSON.stringify(result)
  }
}

const notKept = ['cache-control', 'no-store'] as const

function json(
  status: number,
  content: object | string,
  headers: PlainResponse['headers'] = [],
): PlainResponse {
  const body = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  const type = [
    ['content-type', 'application/json'],
    ['content-length', String(body.length)],
    notKept,
  ] as const
  return { status, reason: statusCodes[status] ?? '', headers: [...type, ...headers], body }
}
