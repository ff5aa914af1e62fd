import type { Change } from '../../store/user-pool-store.ts'
import type { ClientCaller, EngineContext } from '../engine-context.ts'
import { usedSession } from './sessions.ts'
import { locked } from './subject.ts'

/** What a step of a sign-in uses up, and how an attempt at a secret counts, when it has its effect. */
export type Consumption = Pick<Change, 'uses' | 'adds' | 'puts' | 'attempt' | 'messages'>

/** Stores what a step uses up, when the step has no other effect. */
export async function consume(
  { store, clock }: EngineContext,
  { pool }: Pick<ClientCaller, 'pool'>,
  consumption: Consumption,
): Promise<void> {
  const refusal = await store.change({ pool: pool.id, now: clock.now(), ...consumption })
  if (refusal === 'locked') throw locked()
  if (refusal !== undefined) throw usedSession()
}

/** A step that also keeps a session. */
export function withAdded(
  consumption: Consumption,
  credential: NonNullable<Change['adds']>[number],
): Consumption {
  return { ...consumption, adds: [...(consumption.adds ?? []), credential] }
}

/** A step that replaces a session, which it uses up. */
export function withPut(
  consumption: Consumption,
  credential: NonNullable<Change['puts']>[number],
): Consumption {
  return { ...consumption, puts: [...(consumption.puts ?? []), credential] }
}
