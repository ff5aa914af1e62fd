import { inDevelopment } from '@signalbox/core/base'
import type { CreatedPool } from './created-pool.ts'

/**
 * Returns a function that says once, in development, that clients without `ExplicitAuthFlows` have flows here that they
 * would not have on the service.
 */
export function noticeOfFlows(notice: (text: string) => void): (pools: readonly CreatedPool[]) => void {
  let isSaid = false
  return pools => {
    if (isSaid || !inDevelopment()) return
    const [found] = pools.flatMap(({ id, clients }) => {
      const client = clients.find(({ requested }) => (requested.ExplicitAuthFlows ?? []).length === 0)
      return client === undefined ? [] : [{ pool: id, client: client.id }]
    })
    if (found === undefined) return
    isSaid = true
    notice(
      `The client ${found.client} of the user pool ${found.pool} has no ExplicitAuthFlows. Such clients have every flow here. On the service they have ALLOW_USER_SRP_AUTH, ALLOW_CUSTOM_AUTH and ALLOW_REFRESH_TOKEN_AUTH: ALLOW_USER_PASSWORD_AUTH and ALLOW_ADMIN_USER_PASSWORD_AUTH have to be named there.`,
    )
  }
}
