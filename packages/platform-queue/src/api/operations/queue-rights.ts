import type { ResourceRights } from '@signalbox/platform-runtime/access'

/** The rights over queues. Clients can create queues, so that a right may name one that does not exist. */
export const queueRights: ResourceRights = { collection: 'queues', names: ['send', 'receive', 'administer'] }
