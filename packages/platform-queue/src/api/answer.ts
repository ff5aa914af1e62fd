import type { ServerResponse } from 'node:http'
import type { MemoryBudget } from '@signalbox/platform-runtime/listener'
import type { WireError } from '../wire/wire-error.ts'
import { faultOf, type Protocol } from './protocol.ts'

/** The maximum number of characters in an error message, which might quote a long request. */
const messageLimit = 2000

/** Sends an error. */
export function refuse(
  response: ServerResponse,
  protocol: Protocol,
  id: string,
  error: WireError,
  memory: MemoryBudget,
): void {
  const text = protocol.error({ ...error, message: error.message.slice(0, messageLimit) }, id)
  sendAnswer(response, protocol, error.status, id, text, memory, {
    'x-amzn-query-error': `${error.code};${faultOf(error)}`,
    ...(error.retryAfter !== undefined && { 'retry-after': error.retryAfter }),
  })
}

/**
 * Sends a response. Bytes that the client has not read count as used memory, and the connection is closed when other
 * requests need that memory.
 */
export function sendAnswer(
  response: ServerResponse,
  { contentType }: Protocol,
  status: number,
  id: string,
  text: string,
  memory: MemoryBudget,
  more: object = {},
): void {
  if (response.destroyed || response.headersSent) return
  const bytes = Buffer.byteLength(text)
  response.writeHead(status, {
    'content-type': contentType,
    'content-length': bytes,
    'x-amzn-requestid': id,
    ...([408, 413, 503].includes(status) && { connection: 'close' }),
    ...more,
  })
  response.end(text)
  // The request's body is no longer needed.
  memory.release(response)
  if (response.writableLength === 0) return
  const giveUp = () => response.destroy()
  if (!memory.reserve(response, bytes, giveUp)) giveUp()
}
