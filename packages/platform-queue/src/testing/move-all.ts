import { setImmediate } from 'node:timers/promises'
import type { MoveOptions, OwnQueueStore } from '../store/own-queue-store.ts'

/** Moves all messages of a dead-letter queue. Resolves to the number of moved messages. */
export async function moveAll(store: OwnQueueStore, queue: string, options?: MoveOptions): Promise<number> {
  const task = await store.startMove(queue, options)
  for (;;) {
    const row = (await store.moves(queue)).find(each => each.task === task)!
    if (row.status !== 'RUNNING') return row.moved
    await setImmediate()
  }
}
