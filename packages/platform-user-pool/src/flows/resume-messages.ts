import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from './engine-context.ts'
import { contentsOf, deliver } from './messages.ts'

/** Sends the messages that were stored and not sent, when the box was stopped or killed between the two. */
export async function resumeMessages(engine: EngineContext, pools: readonly PoolSettings[]): Promise<void> {
  for (const message of await engine.store.waitingMessages()) {
    const pool = pools.find(({ id }) => id === message.pool)
    const user = pool && (await engine.store.user(pool.id, message.user))
    const contents = pool && contentsOf(engine, pool, message)
    if (pool === undefined || user === undefined || contents === undefined) continue
    const client = pool.clients.find(({ id }) => id === contents.clientId)
    // What the function says against it is in the invocation log.
    await deliver(engine, { pool, client, sdk: contents.sdk }, user, message).catch(() => {})
  }
}
