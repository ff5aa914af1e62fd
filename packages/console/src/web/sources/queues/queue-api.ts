import type { QueueState, queueRoutes } from '@signalbox/platform-queue/console'
import { apiOf } from '../../api/api.ts'
import { numbers } from '../../live/live.ts'

export const queueApi = apiOf<typeof queueRoutes>()

/** Returns the states of all queues in the latest live numbers. */
export function liveQueues(): readonly QueueState[] | undefined {
  return numbers.value?.queues as readonly QueueState[] | undefined
}
