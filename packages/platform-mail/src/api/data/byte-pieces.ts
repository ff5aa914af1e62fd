/** Collects bytes that arrive in chunks of any size. */
export interface BytePieces {
  readonly add: (chunk: Buffer) => void
  /**
   * Returns one buffer with the bytes of `top`, followed by all collected bytes. The collection is empty afterwards.
   */
  readonly take: (top: Buffer) => Buffer
  readonly drop: () => void
}

/** The size of the buffers that collect small chunks, in bytes. */
const pieceSize = 4096

/** Copies small chunks into larger buffers, because even a chunk of a single byte takes hundreds of bytes of memory. */
export function bytePieces(): BytePieces {
  let pieces: Buffer[] = []
  let last: Buffer = Buffer.alloc(0)
  let used = 0

  const closeLast = () => {
    if (used > 0) pieces.push(last.subarray(0, used))
    last = Buffer.alloc(0)
    used = 0
  }

  return {
    add(chunk) {
      if (chunk.length > last.length - used) {
        closeLast()
        if (chunk.length >= pieceSize) {
          pieces.push(chunk)
          return
        }
        last = Buffer.allocUnsafeSlow(pieceSize)
      }
      used += chunk.copy(last, used)
    },

    take(top) {
      closeLast()
      const all = [top, ...pieces]
      pieces = []
      return Buffer.concat(all)
    },

    drop() {
      closeLast()
      pieces = []
    },
  }
}
