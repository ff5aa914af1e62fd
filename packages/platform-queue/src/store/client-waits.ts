import type { SourceContext } from '@signalbox/platform-runtime'
import type { OwnQueueStore } from './own-queue-store.ts'

/**
 * Returns a store whose receive requests wait no longer than clients do. While the platform's clock stands still, a
 * request would otherwise wait until a test moves it.
 */
export function withWaitsOf(
  store: OwnQueueStore,
  { clock, machineClock }: Pick<SourceContext, 'clock' | 'machineClock'>,
): OwnQueueStore {
  if (clock === machineClock) return store
  return {
    ...store,
    async receive(queue, options) {
      const { wait, signal } = options
      const ended = new AbortController()
      const cancel = machineClock.after(wait, () => ended.abort())
      const signals = signal === undefined ? [ended.signal] : [signal, ended.signal]
      try {
        return await store.receive(queue, { ...options, signal: AbortSignal.any(signals) })
      } finally {
        cancel()
      }
    },
  }
}
