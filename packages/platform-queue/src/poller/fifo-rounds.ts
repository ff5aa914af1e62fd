import type { ReceivedMessage } from '../store/queue-store.ts'

/** What each function gets of a batch, in the order of the queue. */
export type MessagesByConsumer<Consumer> = ReadonlyMap<Consumer, readonly ReceivedMessage[]>

/**
 * A FIFO batch of which several functions get messages, in rounds that come one after the other. Within a round each
 * group has one function, so that no message of a group is worked on while another function has an earlier one.
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
