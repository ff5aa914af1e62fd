import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MemoryBudget } from '../listener/memory-budget.ts'

/** An answer of the control address. */
export interface Answer {
  readonly status: number
  readonly body: Buffer | string
  readonly headers?: { readonly [name: string]: string }
}

/** Returns the answer to a client that has to wait. */
export function tooMany(seconds: number): Answer {
  const answer = plainText(429, `Too many requests. Try again after ${seconds} seconds.`)
  return { ...answer, headers: { ...answer.headers, 'retry-after': String(seconds) } }
}

/** Returns an answer for people. */
export function plainText(status: number, text: string): Answer {
  return { status, body: `${text}\n`, headers: { 'content-type': 'text/plain; charset=utf-8' } }
}

/** Sends an answer. Closes the connection if other clients need the memory and this client does not read the answer. */
export function send(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, body, headers }: Answer,
  memory: MemoryBudget,
): void {
  if (response.destroyed) return
  response.writeHead(status, {
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    // Untrusted content must not run in a browser.
    'x-content-type-options': 'nosniff',
    'content-disposition': 'attachment',
    ...headers,
  })
  response.end(method === 'HEAD' ? undefined : body)
  const bytes = response.writableLength
  const giveUp = () => response.destroy()
  if (bytes > 0 && !memory.reserve(response, bytes, giveUp)) giveUp()
}
