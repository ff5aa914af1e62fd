import type { SignInClient } from '@signalbox/platform-runtime'
import { poolEndpoint } from './api/listener/pool-endpoints.ts'
import { clientSecrets } from './flows/sign-in/client-secrets.ts'
import { discoveryDocument } from './oidc/discovery.ts'
import type { OpenUserPools } from './open-user-pools.ts'

/**
 * Returns a client of a configured pool, by which another source signs users in.
 * @throws Error for a pool or a client that is not in the configuration
 */
export function signInClient(
  { engine, url }: OpenUserPools,
  poolName: string,
  clientName: string,
): SignInClient {
  const pool = engine.pools.find(({ name }) => name === poolName)
  const client = pool?.clients.find(({ name }) => name === clientName)
  if (pool === undefined || client === undefined)
    throw new Error(`There is no client ${clientName} of a user pool ${poolName}.`)
  const base = engine.addressOf(pool, url)
  return {
    clientId: client.id,
    clientSecret: clientSecrets(engine.vault, pool, client)[0],
    metadata: { ...discoveryDocument(engine, pool, base), issuer: engine.issuer(pool) },
    async send({ url: address, method, headers, body }) {
      if (!address.startsWith(`${base}/`))
        throw new Error(`${address} is not an address of the pool ${poolName}.`)
      const { pathname, search } = new URL(address)
      const found = await poolEndpoint(engine, pool, {
        method: method === 'POST' ? 'POST' : 'GET',
        origin: url,
        path: pathname.slice(new URL(base).pathname.replace(/\/$/, '').length),
        query: new URLSearchParams(search),
        form: body === undefined ? undefined : new URLSearchParams(body),
        authorization: headers.get('authorization') ?? undefined,
        cookies: undefined,
        fetchSite: undefined,
        sdk: 'signalbox',
      })
      if (found === undefined) return new Response(null, { status: 404 })
      const fields = Object.entries(found.headers).map(([name, value]): [string, string] => [
        name,
        String(value),
      ])
      return new Response(found.body, { status: found.status, headers: fields })
    },
  }
}
