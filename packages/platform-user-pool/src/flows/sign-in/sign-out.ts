import type { EngineContext, FlowCaller } from '../../context/engine-context.ts'
import type { User } from '../../store/user-pool-store.ts'
import { apply } from '../apply.ts'

/** Ends every sign-in of an account, which makes all its tokens invalid. */
export async function signOutEverywhere(
  engine: EngineContext,
  { pool }: FlowCaller,
  user: Pick<User, 'id'>,
): Promise<void> {
  await apply(engine, {
    pool: pool.id,
    now: engine.clock.now(),
    ends: [{ user: user.id, kinds: ['grant', 'session', 'consent'] }],
  })
}
