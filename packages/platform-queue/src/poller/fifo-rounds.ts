import type { ReceivedMessage } from '../store/queue-store.ts'

/** The messages of each function, in the order of the queue. */
export type MessagesByConsumer<Consumer> = ReadonlyMap<Consumer, readonly ReceivedMessage[]>

/**
 * Splits a FIFO batch for several functions into rounds that run one after the other. Within a round each group belongs
 * to one function, so that no message of a group is processed while another function is still processing an earlier
 * one.
 */
export function fifoRounds<Consumer>(
  batch: readonly (readonly [message: ReceivedMessage, consumer: Consumer])[],
): readonly MessagesByConsumer<Consumer>[] {
  const all: Map<Consumer, ReceivedMessage[]>[] = []
  const last = new Map<string | undefined, { readonly consumer: Consumer; readonly round: number }>()
  for (const [message, consumer] of batch) {
    const before = last.get(message.group)
    const round = before === undefined ? 0 : before.round + Number(before.consumer !== consumer)
    last.set(message.group, { consumer, round })
    all[round] ??= new Map()
    const shares = all[round]
    shares.set(consumer, [...(shares.get(consumer) ?? []), message])
  }
  return all
}
