import { Buffer, isUtf8 } from 'node:buffer'
import { reusedRoom } from './reused-room.ts'

/** The kinds of messages between platform and instance. Their order is part of the wire format. */
export const frameKinds = [
  /** An event for the instance: a `TaskHead` as JSON, a line feed, and the text of the event. */
  'task',
  /** The function is loaded. The text is the port of the process's inspector, if it has one. */
  'ready',
  /** The function cannot be loaded. The text states the reason. */
  'unloadable',
  /** Text that the function wrote to stdout. */
  'out',
  /** Text that the function wrote to stderr. */
  'err',
  /** The result of the function. */
  'result',
  /** The message of a thrown error as JSON, a line feed, and the payload. */
  'failed',
  /** The message of an uncaught error. */
  'uncaught',
  /** The result of the function, if it contains a long text. See `longTextResult`. */
  'long-text',
] as const

/** One message between platform and instance. */
export interface Frame {
  readonly kind: (typeof frameKinds)[number]
  /** The number of the task that the frame belongs to, or 0 for a frame without a task. */
  readonly task: number
  readonly text: string
}

/** The number of bytes before the text: its length (4), the kind (1) and the task (4). */
const headLength = 9

/** Reports that the received bytes are not a sequence of frames. */
export class BrokenFrameError extends Error {
  override readonly name = 'BrokenFrameError'
}

/**
 * Returns a frame as bytes.
 * @param more a long text that follows, which would take time to append
 * @param roomFor returns room for a number of bytes
 */
export function frameBytes(
  kind: Frame['kind'],
  task: number,
  text: string,
  more = '',
  roomFor: (size: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  const length = Buffer.byteLength(text) + Buffer.byteLength(more)
  const bytes = roomFor(headLength + length)
  bytes.writeUInt32LE(length, 0)
  bytes.writeUInt8(frameKinds.indexOf(kind), 4)
  bytes.writeUInt32LE(task, 5)
  bytes.write(more, headLength + bytes.write(text, headLength))
  return bytes
}

/**
 * Reads frames from bytes that arrive in pieces of any size. Never holds more than about one frame in memory.
 * @param limit the maximum number of bytes of text in one frame
 * @param take receives the frames in order
 * @returns a function that takes the next bytes, and returns whether they ended with a whole frame. It throws a
 * BrokenFrameError for the first invalid frame, and ignores all bytes after it.
 */
export function frameReader(limit: number, take: (frame: Frame) => void): (chunk: Buffer) => boolean {
  const head = Buffer.allocUnsafeSlow(headLength)
  const roomFor = reusedRoom()
  /** The buffer for a head or a whole frame, whose first `filled` bytes have arrived. */
  let partial: Buffer | undefined
  let filled = 0
  let isBroken = false

  const lengthOf = (bytes: Buffer, at: number): number => {
    const length = bytes.readUInt32LE(at)
    if (length > limit) throw new BrokenFrameError(`a frame of ${length} bytes, at most ${limit} are allowed`)
    return headLength + length
  }

  const readFrames = (chunk: Buffer): boolean => {
    let at = 0
    while (at < chunk.length) {
      if (partial === undefined && chunk.length - at >= headLength) {
        const end = at + lengthOf(chunk, at)
        if (end <= chunk.length) {
          take(readFrame(chunk, at, end))
          at = end
          continue
        }
      }
      partial ??= head
      const copied = chunk.copy(partial, filled, at)
      at += copied
      filled += copied
      if (filled === headLength && partial === head) {
        partial = roomFor(lengthOf(head, 0))
        head.copy(partial)
      }
      if (filled < partial.length) continue
      const bytes = partial
      partial = undefined
      filled = 0
      take(readFrame(bytes, 0, bytes.length))
    }
    return partial === undefined
  }

  return chunk => {
    if (isBroken) return false
    try {
      return readFrames(chunk)
    } catch (error) {
      isBroken = true
      throw error
    }
  }
}

function readFrame(bytes: Buffer, start: number, end: number): Frame {
  const kind = frameKinds[bytes[start + 4]!]
  if (kind === undefined) throw new BrokenFrameError(`a frame of the unknown kind ${bytes[start + 4]}`)
  const task = bytes.readUInt32LE(start + 5)
  if (!isUtf8(bytes.subarray(start + headLength, end))) throw new BrokenFrameError('text that is not UTF-8')
  return { kind, task, text: bytes.toString('utf8', start + headLength, end) }
}
