import { clientOf } from '../../agents/client-of.ts'
import type { PoolSettings } from '../../config/user-pool-settings.ts'
import type { EngineContext } from '../../context/engine-context.ts'
import type { Message } from '../../store/user-pool-store.ts'
import { contentsOf, deliver } from './messages.ts'

/** Sends messages that were stored but not sent, because the platform was stopped or killed too early. */
export async function resumeMessages(
  engine: EngineContext,
  pools: readonly PoolSettings[],
  waiting: readonly (Message & { readonly pool: string })[],
): Promise<void> {
  for (const message of waiting) {
    const pool = pools.find(({ id }) => id === message.pool)
    const user = pool && (await engine.store.user(pool.id, message.user))
    const contents = pool && contentsOf(engine, pool, message)
    if (pool === undefined || user === undefined || contents === undefined) continue
    const client = await clientOf(engine, pool, contents.clientId, undefined)
    // If the function refuses, the invocation log shows it.
    await deliver(engine, { pool, client, sdk: contents.sdk }, user, message).catch(() => {})
  }
}
