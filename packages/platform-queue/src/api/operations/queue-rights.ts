import type { ResourceRights } from '@signalbox/platform-runtime/access'

/** The rights to queues. A right may name a missing queue, because clients can create queues. */
export const queueRights: ResourceRights = { collection: 'queues', names: ['send', 'receive', 'administer'] }
