import { mailTooLarge } from '../commands/sender.ts'
import type { Bounds } from '../connections/bounds.ts'
import type { Reply } from '../reply.ts'
import { bytePieces } from './byte-pieces.ts'

/** The bytes of one mail during its transfer. */
export interface Intake {
  /** Adds bytes. Returns a reply when the client has sent far more than the size limit. The connection then ends. */
  readonly add: (content: Buffer) => Reply | undefined
  /** Returns the reply that refuses the mail, or undefined if there is no reason to refuse it so far. */
  readonly refusal: () => Reply | undefined
  /**
   * Returns one buffer with the bytes of `top`, followed by all received bytes. The memory counts as used until
   * `release` is called.
   */
  readonly take: (top: Buffer) => Buffer
  /** Ends the intake, and frees its memory. */
  readonly release: () => void
}

/**
 * Returns a function that begins the intake of a mail, or of another form of it with a limit of its own. Limits the size of
 * each, and the memory of all that are in transfer.
 */
export function intakes(
  maxSize: number,
  { memory, excess }: Pick<Bounds, 'memory' | 'excess'>,
): (limit?: number) => Intake {
  let allInMemory = 0
  return (limit = maxSize) => {
    const pieces = bytePieces()
    let inMemory = 0
    let size = 0
    let refusal: Reply | undefined
    let isOver = false
    const drop = () => {
      pieces.drop()
      allInMemory -= inMemory
      inMemory = 0
    }
    return {
      add(content) {
        if (isOver) return undefined
        size += content.length
        if (size > limit) refusal = mailTooLarge(maxSize)
        else if (allInMemory + content.length > memory)
          refusal ??= { code: 452, text: '4.3.1 Too many mails in transfer, try again later' }
        if (refusal !== undefined) drop()
        else {
          inMemory += content.length
          allInMemory += content.length
          pieces.add(content)
        }
        return size > limit + excess ? { ...mailTooLarge(maxSize), closes: true } : undefined
      },
      refusal: () => refusal,
      take: pieces.take,
      release() {
        isOver = true
        drop()
      },
    }
  }
}
