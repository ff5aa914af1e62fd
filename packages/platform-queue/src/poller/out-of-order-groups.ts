import type { ReceivedMessage } from '../store/queue-store.ts'

/**
 * Returns the groups of a FIFO batch in which a function reports a message as failed but not every later one. The
 * later ones are deleted, the failed one is redelivered after them, and the order of the group is lost.
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
