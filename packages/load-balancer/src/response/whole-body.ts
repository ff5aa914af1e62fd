import { inDevelopment } from '@signalbox/core'

/** The types of the notices that were given, so that each is given once. */
const noticed = new Set<string>()

/** Milliseconds after which a body that is not complete is a stream, and not a text in several pieces. */
const streamsAfter = 50

/**
 * Reads the whole body of a `Response`, because a load balancer takes only whole answers. In development, a stream is
 * reported once for each type, as soon as it is known to be one.
 */
export async function wholeBody(response: Response): Promise<Buffer> {
  if (process.env.NODE_ENV !== 'production' && inDevelopment()) return watchedBody(response)
  return Buffer.from(await response.arrayBuffer())
}

async function watchedBody(response: Response): Promise<Buffer> {
  const { body, headers, url } = response
  // Only a response of `fetch()` has a URL. It comes in pieces from the network, whatever it is.
  if (body === null || url !== '') return Buffer.from(await response.arrayBuffer())
  const type = headers.get('content-type') ?? 'no type'
  if (/^text\/event-stream\b|ndjson|jsonl/i.test(type) || headers.has('transfer-encoding')) notice(type)
  const chunks: Uint8Array[] = []
  const began = performance.now()
  for await (const chunk of body) {
    chunks.push(chunk)
    if (chunks.length > 1 && performance.now() - began > streamsAfter) notice(type)
  }
  return Buffer.concat(chunks)
}

function notice(type: string): void {
  if (noticed.has(type)) return
  noticed.add(type)
  console.warn(
    `A stream (${type}) is sent when it has ended: a load balancer takes only whole answers. Answer with a redirect to storage, or in parts for which the client asks.`,
  )
}
