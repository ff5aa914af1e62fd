import type { Socket } from 'node:net'
import { dataDecoder } from '../data/data-decoder.ts'

/** The client's input between two replies. `cut-off` means that the client disconnected in the middle of a line. */
export type Input =
  | { readonly kind: 'line'; readonly line: Buffer }
  | { readonly kind: 'too-long' }
  | { readonly kind: 'tls-handshake' }
  | { readonly kind: 'cut-off' }
  | { readonly kind: 'end' }

/** An SMTP connection that reads lines and mails and sends replies. It reads bytes only on request. */
export interface Wire {
  /** Reads a command line, without its line end. */
  readonly readLine: () => Promise<Input>
  /** Reads the data of a mail. Resolves to true if it was complete. */
  readonly readData: (add: (content: Buffer) => void) => Promise<boolean>
  /**
   * Sends text. Resolves when the client can receive more. Nothing is read from a client that does not read its
   * replies.
   */
  readonly write: (text: string) => Promise<void>
  /** Stops reading and discards the bytes that were read, so that another wire can use the socket. */
  readonly detach: () => void
  /** Stops sending, and discards input of the client until the socket is closed. */
  readonly end: () => void
}

const lineFeed = 0x0a
const carriageReturn = 0x0d
/** The first byte of a TLS handshake. */
const handshake = 0x16

/** @param longestLine the maximum length of a line in bytes, without the line end */
export function wireOf(socket: Socket, longestLine: number): Wire {
  let buffered: Buffer = Buffer.alloc(0)
  let isOver = false
  let isFirst = true
  let arrived: (chunk: Buffer | undefined) => void = () => {}

  const onData = (chunk: Buffer) => {
    socket.pause()
    arrived(chunk)
  }
  const onEnd = () => {
    isOver = true
    arrived(undefined)
  }
  socket.pause()
  socket.on('data', onData).on('end', onEnd).on('close', onEnd)

  const readMore = async (): Promise<boolean> => {
    if (isOver) return false
    const next = new Promise<Buffer | undefined>(resolve => {
      arrived = resolve
    })
    socket.resume()
    const chunk = await next
    if (chunk === undefined || isOver) return false
    buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
    return true
  }

  const stopReading = () => {
    socket.off('data', onData)
    onEnd()
    buffered = Buffer.alloc(0)
  }

  return {
    async readLine() {
      for (;;) {
        if (isFirst && buffered[0] === handshake) return { kind: 'tls-handshake' }
        isFirst &&= buffered.length === 0
        const end = buffered.indexOf(lineFeed)
        if ((end < 0 ? buffered.length : end) > longestLine + 1) return { kind: 'too-long' }
        if (end >= 0) {
          const line = buffered.subarray(0, buffered[end - 1] === carriageReturn ? end - 1 : end)
          buffered = buffered.subarray(end + 1)
          return { kind: 'line', line }
        }
        if (!(await readMore())) return { kind: buffered.length > 0 ? 'cut-off' : 'end' }
      }
    },

    async readData(add) {
      const decoder = dataDecoder()
      for (;;) {
        const { content, rest } = decoder.feed(buffered)
        buffered = rest ?? Buffer.alloc(0)
        if (content.length > 0) add(content)
        if (rest !== undefined) return true
        if (!(await readMore())) return false
      }
    },

    async write(text) {
      if (socket.destroyed || !socket.writable) return
      socket.write(text)
      if (!socket.writableNeedDrain) return
      await new Promise<void>(resolve => {
        const go = () => {
          socket.off('drain', go).off('close', go)
          resolve()
        }
        socket.on('drain', go).on('close', go)
      })
    },

    detach() {
      stopReading()
      socket.off('end', onEnd).off('close', onEnd)
      // Bytes that were already read must not reach the next wire.
      while (socket.read() !== null) {}
    },

    end() {
      stopReading()
      if (!socket.destroyed && socket.writable) socket.end()
      // A paused socket does not emit `end` when the client half-closes the connection.
      socket.resume()
    },
  }
}
