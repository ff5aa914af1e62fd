import { setImmediate } from 'node:timers/promises'
import type { LocalStore } from '../store/sqlite/local-store.ts'
import type { MoveOptions } from '../store/sqlite/move-tasks.ts'

/** Moves all messages of a dead-letter queue. Resolves to their number. */
export async function moveAll(store: LocalStore, queue: string, options?: MoveOptions): Promise<number> {
  const task = await store.startMove(queue, options)
  for (;;) {
    const row = (await store.moves(queue)).find(each => each.task === task)!
    if (row.status !== 'RUNNING') return row.moved
    await setImmediate()
  }
}
