import type { Clock } from '@signalbox/core'
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
  /** The client goes on beyond all measure, in size or time. */
  readonly endless: (reply: Reply) => void
}

/** Takes the bytes of mails in, and holds no more of them than is allowed, for each and for all together. */
export function receiver(sizeLimit: number, { memory, excess, duration }: Bounds, clock: Clock) {
  let inMemory = 0
  return (stream: SMTPServerDataStream, { whole, refused, endless }: Reception): void => {
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
    const end = (reply: Reply) => {
      refusal = reply
      drop()
      stream.removeAllListeners('data')
      stream.resume()
      endless(reply)
    }
    const cancel = clock.after(duration, () => end({ code: 421, text: '4.4.2 The mail takes too long' }))
    stream.once('close', cancel)
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
      if (size > sizeLimit + excess) end(tooBig(sizeLimit))
    })
    stream.on('error', drop)
    stream.on('end', () => {
      cancel()
      if (refusal === undefined) void whole(pieces.take).finally(release)
      else refused(refusal)
    })
  }
}
