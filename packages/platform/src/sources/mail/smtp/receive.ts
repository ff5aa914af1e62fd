import type { SMTPServerDataStream } from 'smtp-server'
import type { Bounds } from './bounds.ts'
import { bytePieces } from './byte-pieces.ts'
import type { Reply } from './reply.ts'
import { tooBig } from './sender.ts'

/** What came of the bytes of a mail. Nothing comes when the client goes away before the end. */
export interface Reception {
  /** `below` gives all of them, below what this server puts on top. They take up memory until this is over. */
  readonly whole: (below: (top: Buffer) => Buffer) => Promise<void>
  readonly refused: (reply: Reply) => void
  /** The client goes on beyond all measure. */
  readonly flooded: (reply: Reply) => void
}

/** Takes the bytes of mails in, and holds no more of them than is allowed, for each and for all together. */
export function receiver(sizeLimit: number, { memory, excess }: Bounds) {
  let inMemory = 0
  return (stream: SMTPServerDataStream, { whole, refused, flooded }: Reception): void => {
    const pieces = bytePieces()
    let [held, size] = [0, 0]
    let refusal: Reply | undefined
    const release = () => {
      inMemory -= held
      held = 0
    }
    const drop = () => {
      pieces.drop()
      release()
    }
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > sizeLimit) refusal = tooBig(sizeLimit)
      else if (inMemory + chunk.length > memory)
        refusal ??= { code: 452, text: '4.3.1 Too many mails come in at this moment, come again later' }
      if (refusal !== undefined) drop()
      else {
        inMemory += chunk.length
        held += chunk.length
        pieces.add(chunk)
      }
      if (size > sizeLimit + excess) {
        stream.removeAllListeners('data')
        stream.resume()
        flooded(tooBig(sizeLimit))
      }
    })
    stream.on('error', drop)
    stream.on('end', () => {
      if (refusal === undefined) void whole(pieces.take).finally(release)
      else refused(refusal)
    })
  }
}
