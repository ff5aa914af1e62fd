import { Buffer } from 'node:buffer'

/** The maximum size of the room that is kept. */
const kept = 1024 * 1024

/**
 * Returns a function that returns room for a number of bytes, in the same memory each time. Memory outside of the heap
 * makes V8 collect all garbage: with new memory for each, after some seventy answers of 100 KB.
 */
export function reusedRoom(): (size: number) => Buffer {
  let room = Buffer.allocUnsafeSlow(4096)
  return size => {
    if (size > kept) return Buffer.allocUnsafeSlow(size)
    if (size > room.length) room = Buffer.allocUnsafeSlow(Math.min(2 * size, kept))
    return room.subarray(0, size)
  }
}

/** A part of ECMAScript 2024 that all supported versions of Node have. */
type Transferable = ArrayBufferLike & { readonly transfer: (length: number) => ArrayBuffer }

/** Frees the memory of bytes that a socket has read, for the same reason. They must not be used any more. */
export function freeRead({ buffer, length }: Buffer): void {
  // Other buffers share their memory.
  if (buffer.byteLength === length) (buffer as Transferable).transfer(0)
}
