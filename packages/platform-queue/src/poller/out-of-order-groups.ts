import type { ReceivedMessage } from '../store/queue-store.ts'

/**
 * Groups of a FIFO batch in which a function reports a message as failed, and not every later one: those are
 * deleted, and the failed one comes back behind them. The order of the group is lost.
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
