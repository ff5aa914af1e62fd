import { systemClock } from '@signalbox/core/base'
import { systemRandom } from '@signalbox/platform-runtime'
import type { OpenStorageEngine } from '@signalbox/platform-runtime/storage'
import { type OwnQueueStore, queueStorage } from '../store/own-queue-store.ts'

/** Runs a function with the queues of a storage engine, even if no platform is running. */
export async function withEngineStore<T>(
  open: OpenStorageEngine,
  notice: (text: string) => void,
  work: (store: OwnQueueStore) => Promise<T>,
): Promise<T> {
  const engine = await open({ clock: undefined, notice })
  try {
    const context = { clock: systemClock, random: systemRandom, notice }
    const store = await engine.opener(queueStorage)(context)
    try {
      return await work(store)
    } finally {
      await store.close()
    }
  } finally {
    await engine.close()
  }
}
