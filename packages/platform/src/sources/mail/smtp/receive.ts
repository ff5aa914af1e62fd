import type { SMTPServerDataStream } from 'smtp-server'
import type { Bounds } from './bounds.ts'
import type { Reply } from './reply.ts'
import { tooBig } from './sender.ts'

/** What came of the bytes of a mail. Nothing comes when the client goes away before the end. */
export interface Reception {
  readonly whole: (data: Buffer) => void
  readonly refused: (reply: Reply) => void
  /** The client goes on beyond all measure. */
  readonly flooded: (reply: Reply) => void
}

/** Takes the bytes of mails in, and holds no more of them than is allowed, for each and for all together. */
export function receiver(sizeLimit: number, { memory, excess }: Bounds) {
  let inMemory = 0
  return (stream: SMTPServerDataStream, { whole, refused, flooded }: Reception): void => {
    let chunks: Buffer[] = []
    let [held, size] = [0, 0]
    let refusal: Reply | undefined
    const release = () => {
      inMemory -= held
      held = 0
      chunks = []
    }
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > sizeLimit) refusal = tooBig(sizeLimit)
      else if (inMemory + chunk.length > memory)
        refusal ??= { code: 452, text: '4.3.1 Too many mails come in at this moment, come again later' }
      if (refusal !== undefined) release()
      else {
        inMemory += chunk.length
        held += chunk.length
        chunks.push(chunk)
      }
      if (size > sizeLimit + excess) {
        stream.removeAllListeners('data')
        stream.resume()
        flooded(tooBig(sizeLimit))
      }
    })
    stream.on('error', release)
    stream.on('end', () => {
      const data = Buffer.concat(chunks)
      release()
      if (refusal === undefined) whole(data)
      else refused(refusal)
    })
  }
}
