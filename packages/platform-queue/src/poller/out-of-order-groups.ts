import type { ReceivedMessage } from '../store/queue-store.ts'

/**
 * Returns the groups of a FIFO batch in which a function reports a failed message but not all later messages.
 * The later messages are deleted and the failed message is redelivered, so the group loses its order.
 */
export function outOfOrderGroups(
  batch: readonly Pick<ReceivedMessage, 'messageId' | 'group'>[],
  failed: ReadonlySet<string>,
): readonly string[] {
  const failedGroups = new Set<string>()
  const outOfOrder = new Set<string>()
  for (const { messageId, group } of batch) {
    if (group === undefined) continue
    if (failed.has(messageId)) failedGroups.add(group)
    else if (failedGroups.has(group)) outOfOrder.add(group)
  }
  return [...outOfOrder]
}
