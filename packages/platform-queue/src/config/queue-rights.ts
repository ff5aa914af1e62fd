import type { ResourceRights } from '@signalbox/platform-runtime/access'

/**
 * The rights that an identity can have to queues. The queue does not have to exist yet, because clients can create
 * queues.
 */
export const queueRights: ResourceRights = { collection: 'queues', names: ['send', 'receive', 'administer'] }
