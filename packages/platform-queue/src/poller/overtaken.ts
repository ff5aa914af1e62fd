import type { ReceivedMessage } from '../store/queue-store.ts'

/**
 * Groups of a FIFO batch in which a function reports a message as failed, and not every later one: those are
 * deleted, and the failed one comes back behind them. The order of the group is lost.
 */
export function overtakenGroups(
  batch: readonly Pick<ReceivedMessage, 'messageId' | 'group'>[],
  failed: ReadonlySet<string>,
): readonly string[] {
  const broken = new Set<string>()
  const overtaken = new Set<string>()
  for (const { messageId, group } of batch) {
    if (group === undefined) continue
    if (failed.has(messageId)) broken.add(group)
    else if (broken.has(group)) overtaken.add(group)
  }
  return [...overtaken]
}
