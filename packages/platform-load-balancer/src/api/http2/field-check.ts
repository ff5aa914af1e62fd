import { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { fieldReader } from './field-reader.ts'

/** The number of bytes that a client sends before its first frame (RFC 9113, 3.4). */
const prefaceLength = 24

/** The number of bytes of a frame before its payload. */
const frameHead = 9

/** Frame types and flags (RFC 9113, 6). */
const [headersType, continuation] = [1, 9]
const [endHeaders, padded, withPriority] = [4, 8, 32]

/** The maximum number of bytes of a header block. Node ends a connection whose blocks are longer. */
const blockLimit = 1024 * 1024

/**
 * Returns a function that reads what a client sends on an HTTP/2 connection.
 * @param malformed called with the number of a stream whose header fields are malformed
 * @returns a function that takes the next bytes, and returns whether the connection can go on
 */
export function fieldCheck(malformed: (stream: number) => void): (chunk: Buffer) => boolean {
  const fields = fieldReader()
  const head = Buffer.alloc(frameHead)
  let filled = 0
  /** The number of bytes that are skipped before the next frame. */
  let skipped = prefaceLength
  /** The number of bytes that the payload of a headers frame still has. */
  let left = 0
  let payload: Buffer[] = []
  let block: Buffer[] = []
  let size = 0

  const takeFrame = (): void => {
    const [type, flags, stream] = [head[3], head[4]!, head.readUInt32BE(5) & 0x7fffffff]
    const whole = Buffer.concat(payload)
    payload = []
    const isFirst = type === headersType
    const start = isFirst ? (flags & padded ? 1 : 0) + (flags & withPriority ? 5 : 0) : 0
    const end = whole.length - (isFirst && flags & padded ? whole[0]! : 0)
    block.push(whole.subarray(start, end))
    if ((flags & endHeaders) === 0) return
    if (!fields.read(Buffer.concat(block))) malformed(stream)
    block = []
    size = 0
  }

  return chunk => {
    for (let at = 0; at < chunk.length; ) {
      if (skipped > 0) {
        const taken = Math.min(skipped, chunk.length - at)
        skipped -= taken
        at += taken
      } else if (filled < frameHead) {
        const taken = chunk.copy(head, filled, at)
        filled += taken
        at += taken
        if (filled < frameHead) break
        const length = head.readUIntBE(0, 3)
        if (head[3] !== headersType && head[3] !== continuation) {
          skipped = length
          filled = 0
          continue
        }
        left = length
        size += length
        if (size > blockLimit) return false
        if (left > 0) continue
        takeFrame()
        filled = 0
      } else {
        const part = chunk.subarray(at, at + left)
        payload.push(part)
        left -= part.length
        at += part.length
        if (left > 0) break
        takeFrame()
        filled = 0
      }
    }
    return true
  }
}

/**
 * Returns a stream with the data of a connection, each part of which is checked before it can be read. Node reads an
 * HTTP/2 connection below JavaScript, and does not say that it drops a malformed field.
 */
export function checkedConnection(socket: TLSSocket, check: (chunk: Buffer) => boolean): Duplex {
  const checked = new Duplex({
    read: () => void socket.resume(),
    write: (chunk: Buffer, _encoding, done) => void socket.write(chunk, done),
    writev(parts, done) {
      socket.cork()
      for (const [at, { chunk }] of parts.entries())
        socket.write(chunk as Buffer, at === parts.length - 1 ? done : undefined)
      socket.uncork()
    },
    final: done => void socket.end(done),
    destroy(error, done) {
      socket.destroy()
      done(error)
    },
  })
  socket.on('data', (chunk: Buffer) => {
    if (!check(chunk)) checked.destroy()
    else if (!checked.push(chunk)) socket.pause()
  })
  socket.on('end', () => checked.push(null))
  socket.on('error', () => {})
  socket.on('close', () => checked.destroy())
  return checked
}
