import type { Engine } from '../engine.ts'

/**
 * The documents for checking tokens: `/{poolId}/.well-known/jwks.json` and `openid-configuration`. Undefined for any
 * other path.
 */
export async function discoveryDocument(engine: Engine, path: string): Promise<object | undefined> {
  const [, poolId, file] = /^\/([^/]+)\/\.well-known\/(jwks\.json|openid-configuration)$/.exec(path) ?? []
  const pool = engine.pools.find(({ id }) => id === poolId)
  if (pool === undefined) return undefined
  if (file === 'jwks.json') return { keys: await engine.keys.published(pool) }
  const issuer = engine.issuer(pool)
  return {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    id_token_signing_alg_values_supported: ['RS256'],
    subject_types_supported: ['public'],
    response_types_supported: [],
  }
}
