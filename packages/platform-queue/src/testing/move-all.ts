import { setImmediate } from 'node:timers/promises'
import type { LocalStore } from '../store/sqlite/local-store.ts'
import type { MoveOptions } from '../store/sqlite/move-tasks.ts'

/** Moves what a dead-letter queue holds; resolves to how many messages that were when all are through. */
export async function moveAll(store: LocalStore, queue: string, options?: MoveOptions): Promise<number> {
  const task = await store.startMove(queue, options)
  for (;;) {
    const row = (await store.moves(queue)).find(each => each.task === task)!
    if (row.status !== 'RUNNING') return row.moved
    await setImmediate()
  }
}
