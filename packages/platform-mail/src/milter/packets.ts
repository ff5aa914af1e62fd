import { bytePieces } from '../api/data/byte-pieces.ts'

/** A packet of the milter protocol (draft-adams-milter-protocol): a code of one letter, and its data. */
export interface Packet {
  readonly code: string
  readonly data: Buffer
}

/** A packet that breaks the protocol. The connection on which it came ends. */
export class MalformedPacket extends Error {}

/** Makes packets of bytes that arrive in chunks of any size. */
export interface PacketReader {
  readonly add: (chunk: Buffer) => void
  /**
   * Returns the next packet, or undefined until it is complete. Its data is only valid until the next call of `add`.
   * @throws MalformedPacket for a length of 0, or above the limit
   */
  readonly next: () => Packet | undefined
}

/** The number of bytes of the length in front of a packet. It counts the code and the data, but not itself. */
const lengthSize = 4

/** @param largest the maximum number of bytes of a packet, with its code */
export function packetReader(largest: number): PacketReader {
  const pieces = bytePieces()
  let added = 0
  let ready: Buffer = Buffer.alloc(0)
  let at = 0

  /** Returns whether the first `count` unread bytes are there, in one buffer. */
  const has = (count: number) => {
    if (ready.length - at >= count) return true
    if (ready.length - at + added < count) return false
    ready = pieces.take(ready.subarray(at))
    added = 0
    at = 0
    return true
  }

  return {
    add(chunk) {
      pieces.add(chunk)
      added += chunk.length
    },
    next() {
      if (!has(lengthSize)) return undefined
      const length = ready.readUInt32BE(at)
      if (length < 1 || length > largest) throw new MalformedPacket(`A packet of ${length} bytes`)
      if (!has(lengthSize + length)) return undefined
      const start = at + lengthSize
      at = start + length
      return { code: String.fromCharCode(ready[start]!), data: ready.subarray(start + 1, at) }
    },
  }
}

/** Returns the bytes of a packet. Strings of the data end with NUL. */
export function packet(code: string, ...data: readonly (string | Buffer)[]): Buffer {
  const parts = data.map(each => (typeof each === 'string' ? Buffer.from(`${each}\0`) : each))
  const length = parts.reduce((sum, { length }) => sum + length, 1)
  const head = Buffer.alloc(lengthSize + 1, code.charCodeAt(0))
  head.writeUInt32BE(length)
  return Buffer.concat([head, ...parts])
}

/** Returns a number as data of a packet. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/**
 * Returns the strings of a packet, without the NUL at the end of each.
 * @throws MalformedPacket if the last one has no end
 */
export function stringsOf(data: Buffer): readonly Buffer[] {
  const strings: Buffer[] = []
  for (let from = 0; from < data.length; ) {
    const end = data.indexOf(0, from)
    if (end < 0) throw new MalformedPacket('A string without an end')
    strings.push(data.subarray(from, end))
    from = end + 1
  }
  return strings
}
