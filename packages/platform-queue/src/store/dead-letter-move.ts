/** A message that moved to a dead-letter queue. */
export interface DeadLetterMove {
  readonly queue: string
  readonly target: string
  readonly messageId: string
  /** The number of times that the message was received. */
  readonly receives: number
}

/** Describes the messages that moved from a queue to its dead-letter queue, in a sentence for the operator. */
export function describeDeadLetters(moves: readonly DeadLetterMove[]): string {
  const [{ queue, target, messageId, receives }] = moves as readonly [DeadLetterMove]
  const redrive = `signalbox redrive ${target}`
  return moves.length === 1
    ? `Message ${messageId} of queue ${queue} moved to the dead-letter queue ${target} after ${receives} ${receives === 1 ? 'receive' : 'receives'}. To move it back: ${redrive}`
    : `${moves.length} messages of queue ${queue} moved to the dead-letter queue ${target}. To move them back: ${redrive}`
}
