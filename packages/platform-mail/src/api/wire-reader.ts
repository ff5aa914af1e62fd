import { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import { type DataDecoder, dataDecoder } from './data-decoder.ts'
import { asError } from './reply.ts'

const tlsHandshake = 0x16

/**
 * The stream of a connection, cut into commands and mails. A class because it takes the place of the library's, which
 * drops dots behind bare line feeds too, waits for the line of a client that speaks TLS, and takes a command that
 * was cut off for a whole one.
 */
export class WireReader extends SMTPStream {
  #decoder: DataDecoder | undefined
  #begun = false

  /** Something had begun when the stream ended. */
  get isCutOff(): boolean {
    return this._dataMode || this._remainder !== ''
  }

  override startDataMode(limit?: number): ReturnType<SMTPStream['startDataMode']> {
    this.#decoder = dataDecoder()
    return super.startDataMode(limit)
  }

  override _write(chunk: Buffer, encoding: BufferEncoding | 'buffer', next: Next) {
    const first = !this.#begun
    this.#begun = true
    if (first && chunk[0] === tlsHandshake)
      return next(asError({ code: 500, text: '5.5.2 TLS is not spoken here before STARTTLS' }))
    super._write(chunk, encoding, next)
  }

  override _feedDataStream(chunk: Buffer, next: Next) {
    const stream = this._dataStream!
    const { content, rest } = this.#decoder!.feed(chunk)
    this._countDataBytes(content.length)
    if (rest !== undefined) return this._endDataMode(content, rest, next)
    if (content.length === 0 || !stream.writable || stream.write(content) || stream.destroyed) return next()
    // A stream that is destroyed never drains, it only closes.
    const go = () => {
      stream.off('drain', go)
      stream.off('close', go)
      next()
    }
    stream.once('drain', go)
    stream.once('close', go)
  }

  override _commandTooLong(): Error {
    this._remainder = ''
    return asError({ code: 500, text: '5.5.6 Line too long' })
  }

  // What was cut off is no command.
  override _flushData(): void {}
}

type Next = (error?: Error | null) => void
