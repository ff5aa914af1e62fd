import type { ResourceRights } from '@signalbox/platform-runtime/access'

/**
 * The rights to user pools. A right can name the id of a pool that does not exist yet, because clients can create
 * pools.
 */
export const poolRights: ResourceRights = { collection: 'userPools', names: ['administer'] }
