import { compactVerify } from 'jose'
import type { PoolSettings } from '../config/user-pool-settings.ts'
import type { EngineContext } from '../context/engine-context.ts'

/**
 * Returns the user and the client in an identity token that the pool signed, even if the token has expired. Returns
 * undefined for any other string.
 */
export async function hinted(
  { keys, issuer }: Pick<EngineContext, 'keys' | 'issuer'>,
  pool: PoolSettings,
  token: string,
): Promise<{ readonly user: string; readonly client: string } | undefined> {
  try {
    const { payload } = await compactVerify(
      token,
      async ({ kid = '' }) => (await keys.verifying(pool, kid)) ?? Promise.reject(new Error('unknown key')),
      { algorithms: ['RS256'] },
    )
    const { iss, sub, aud, token_use } = JSON.parse(Buffer.from(payload).toString('utf8'))
    return iss === issuer(pool) && token_use === 'id' ? { user: String(sub), client: String(aud) } : undefined
  } catch {
    return undefined
  }
}
