import { sign } from 'node:crypto'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'
import type { Claims } from './claims.ts'

/** Signs a token with these claims. Uses the current key of the pool. See docs/decisions/user-pools.md#the-engine. */
export async function signedToken(
  { keys }: Pick<EngineContext, 'keys'>,
  pool: PoolSettings,
  use: 'id' | 'access',
  claims: Claims,
): Promise<string> {
  const { id, key } = await keys.current(pool, use)
  const input = `${base64url({ kid: id, alg: 'RS256' })}.${base64url(claims)}`
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
