import type { IncomingMessage } from 'node:http'

/** What came of reading a body. */
export type Body = { readonly bytes: Uint8Array } | 'too large' | 'broken off'

const none = { bytes: new Uint8Array() }

/** Reads a body of at most `limit` bytes. One that is longer is given up as soon as that shows. */
export function readBody(request: IncomingMessage, limit: number): Body | Promise<Body> {
  const announced = request.headers['content-length']
  if (announced === undefined && request.headers['transfer-encoding'] === undefined) return none
  if (Number(announced) > limit) return 'too large'
  return new Promise(resolve => {
    const chunks: Buffer[] = []
    let size = 0
    const finish = (body: Body) => {
      request.off('data', take).off('end', end).off('close', close)
      resolve(body)
    }
    const take = (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) finish('too large')
      else chunks.push(chunk)
    }
    const end = () => finish({ bytes: chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, size) })
    const close = () => finish('broken off')
    request.on('data', take).on('end', end).on('close', close)
  })
}
