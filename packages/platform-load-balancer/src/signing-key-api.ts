import type { ControlApi } from '@signalbox/platform-runtime'
import type { BalancerVault } from './balancer-key.ts'

/**
 * Publishes the public keys with which load balancers sign who has signed in, as PEM, also the previous one: `GET /load-balancer-keys/{id}` at the
 * control address. Everyone may read it.
 */
export function signingKeyApi(openVault: () => Promise<BalancerVault>): ControlApi {
  let opening: Promise<readonly { readonly id: string; readonly published: string }[]> | undefined
  const text = { 'content-type': 'text/plain; charset=utf-8' }
  return {
    name: 'load-balancer-keys',
    async answer({ request: { method, url = '' } }) {
      if (method !== 'GET' && method !== 'HEAD')
        return { status: 405, body: 'Keys can only be read.\n', headers: { ...text, allow: 'GET, HEAD' } }
      try {
        opening ??= keysOf(openVault)
        const found = (await opening).find(({ id }) => url === `/load-balancer-keys/${id}`)
        return found !== undefined
          ? { status: 200, body: found.published, headers: { 'content-type': 'application/x-pem-file' } }
          : { status: 404, body: 'There is no such key.\n', headers: text }
      } catch {
        opening = undefined
        return { status: 503, body: 'The key cannot be read at the moment.\n', headers: text }
      }
    },
  }
}

async function keysOf(openVault: () => Promise<BalancerVault>) {
  const { identityKey } = await import('./identity/signed-identity.ts')
  const vault = await openVault()
  return [vault, ...(vault.previous === undefined ? [] : [vault.previous])].map(identityKey)
}
