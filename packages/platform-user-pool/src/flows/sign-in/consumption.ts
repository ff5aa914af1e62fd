import type { ClientCaller, EngineContext } from '../../context/engine-context.ts'
import type { Change } from '../../store/user-pool-store.ts'
import { usedSession } from './sessions.ts'
import { locked } from './subject.ts'

/** The part of a change that uses up credentials and counts an attempt in a sign-in step. */
export type Consumption = Pick<Change, 'uses' | 'adds' | 'puts' | 'attempt' | 'messages'>

/** Uses up credentials and counts the attempt of a step that changes nothing else. */
export async function consume(
  { store, clock }: EngineContext,
  { pool }: Pick<ClientCaller, 'pool'>,
  consumption: Consumption,
): Promise<void> {
  const refusal = await store.change({ pool: pool.id, now: clock.now(), ...consumption })
  if (refusal === 'locked') throw locked()
  if (refusal !== undefined) throw usedSession()
}

/** Adds a new session to the change that a step makes. */
export function withAdded(
  consumption: Consumption,
  credential: NonNullable<Change['adds']>[number],
): Consumption {
  return { ...consumption, adds: [...(consumption.adds ?? []), credential] }
}

/** Replaces the session that a step uses up. */
export function withPut(
  consumption: Consumption,
  credential: NonNullable<Change['puts']>[number],
): Consumption {
  return { ...consumption, puts: [...(consumption.puts ?? []), credential] }
}
