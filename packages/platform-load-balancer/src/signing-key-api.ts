import type { ControlApi } from '@signalbox/platform-runtime'
import type { Vault } from '@signalbox/platform-runtime/secrets'

/**
 * Publishes the public key with which load balancers sign who has signed in, as PEM: `GET /load-balancer-keys/{id}` at the
 * control address. Everyone may read it.
 */
export function signingKeyApi(openVault: () => Promise<Vault>): ControlApi {
  let opening: Promise<{ readonly id: string; readonly published: string }> | undefined
  const text = { 'content-type': 'text/plain; charset=utf-8' }
  return {
    name: 'load-balancer-keys',
    async answer({ request: { method, url = '' } }) {
      if (method !== 'GET' && method !== 'HEAD')
        return { status: 405, body: 'Keys can only be read.\n', headers: { ...text, allow: 'GET, HEAD' } }
      try {
        opening ??= keyOf(openVault)
        const { id, published } = await opening
        return url === `/load-balancer-keys/${id}`
          ? { status: 200, body: published, headers: { 'content-type': 'application/x-pem-file' } }
          : { status: 404, body: 'There is no such key.\n', headers: text }
      } catch {
        opening = undefined
        return { status: 503, body: 'The key cannot be read at the moment.\n', headers: text }
      }
    },
  }
}

async function keyOf(openVault: () => Promise<Vault>) {
  const { identityKey } = await import('./identity/signed-identity.ts')
  return identityKey(await openVault())
}
