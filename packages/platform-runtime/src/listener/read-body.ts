import type { IncomingMessage } from 'node:http'
import type { MemoryBudget } from './memory-budget.ts'

/** A body, or the reason why it was not read. */
export type Body = { readonly bytes: Uint8Array } | 'too large' | 'aborted' | 'no memory' | 'too slow'

const none = { bytes: new Uint8Array() }

/**
 * Reads a body of at most `limit` bytes. Reading stops as soon as the body is known to be longer, or when there is no
 * memory for it.
 * @param memory the memory that the body counts in. Default: no limit
 * @param holder what holds the memory, such as the response to the request
 */
export function readBody(
  request: IncomingMessage,
  limit: number,
  memory?: MemoryBudget,
  holder: object = request,
): Body | Promise<Body> {
  const announced = request.headers['content-length']
  if (announced === undefined && request.headers['transfer-encoding'] === undefined) return none
  if (Number(announced) > limit) return 'too large'
  return new Promise(resolve => {
    // This is one growing buffer, because each separate chunk takes hundreds of bytes, and a chunk may be as small as
    // one byte.
    let gathered: Buffer = Buffer.alloc(0)
    let size = 0
    const finish = (body: Body) => {
      request.off('data', take).off('end', end).off('close', close)
      resolve(body)
    }
    const giveUp = () => finish('too slow')
    const take = (chunk: Buffer) => {
      const start = size
      size += chunk.length
      if (size > limit) return finish('too large')
      if (size > gathered.length) {
        const capacity = start === 0 ? size : Math.min(2 * size, limit)
        if (memory?.reserve(holder, capacity, giveUp) === false) return finish('no memory')
        gathered = start === 0 ? chunk : grown(gathered, capacity)
      }
      if (start > 0) chunk.copy(gathered, start)
    }
    const end = () => finish({ bytes: gathered.subarray(0, size) })
    const close = () => finish('aborted')
    request.on('data', take).on('end', end).on('close', close)
  })
}

function grown(buffer: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size)
  buffer.copy(larger)
  return larger
}
