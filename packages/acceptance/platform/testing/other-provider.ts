import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Configuration, Provider } from 'oidc-provider'

/** What a provider does when a browser comes to sign in, and when the load balancer asks. */
export interface ProviderBehaviour {
  /** The user who signs in. Undefined to deny access. */
  user?: string | undefined
  /** Answers a request instead of the provider: a path, and the status, or no answer at all. */
  fails?: { readonly path: string; readonly status: number | 'away' } | undefined
  /** Claims of the users in addition to `sub` and `email`. */
  claims?: { readonly [name: string]: unknown }
}

/**
 * Starts an OpenID Connect provider of another project on this machine, whose users need no password.
 * @param seconds how long its access tokens are valid
 * @param kind how it signs identity tokens, and how clients show their secrets
 */
export async function otherProvider(
  behaviour: ProviderBehaviour,
  seconds = 3600,
  kind: {
    readonly alg: 'RS256' | 'ES256'
    readonly secretIn: 'client_secret_basic' | 'client_secret_post'
  } = { alg: 'RS256', secretIn: 'client_secret_basic' },
) {
  const asked: { readonly method: string; readonly path: string; readonly query: URLSearchParams }[] = []
  let answer: ((...parts: Parameters<ReturnType<Provider['callback']>>) => unknown) | undefined
  const server = createServer((request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url!, 'http://localhost')
    asked.push({ method: request.method!, path, query })
    const { fails } = behaviour
    if (fails?.path === path) {
      if (fails.status === 'away') request.socket.destroy()
      else response.writeHead(fails.status).end('{}')
      return
    }
    void answer!(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { privateKey } =
    kind.alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const issuer = `http://127.0.0.1:${port}`
  return {
    issuer,
    asked,
    /** Begins to answer, with a client that browsers come back to at these addresses. */
    open(...callbacks: readonly string[]) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: 'balancer',
            client_secret: 'a long secret of the balancer',
            redirect_uris: [...callbacks],
            grant_types: ['authorization_code', 'refresh_token'],
            response_types: ['code'],
            id_token_signed_response_alg: kind.alg,
            token_endpoint_auth_method: kind.secretIn,
          },
        ],
        clientAuthMethods: [kind.secretIn] as NonNullable<Configuration['clientAuthMethods']>,
        cookies: { keys: ['a key of this test'] },
        jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: kind.alg } as never] },
        ttl: {
          AccessToken: seconds,
          IdToken: 60,
          Interaction: 600,
          Grant: 600,
          Session: 600,
          RefreshToken: 600,
        },
        claims: { openid: ['sub'], email: ['email', ...Object.keys(behaviour.claims ?? {})] },
        scopes: ['openid', 'offline_access', 'email'],
        issueRefreshToken: async () => true,
        features: { devInteractions: { enabled: false } },
        interactions: { url: () => '/choose' },
        findAccount: async (_context, id) => ({
          accountId: id,
          claims: async () => ({ sub: id, email: `${id}@example.com`, ...behaviour.claims }),
        }),
        async loadExistingGrant({ oidc: { client, session, provider: own } }) {
          const grant = new own.Grant({ clientId: client!.clientId, accountId: session!.accountId! })
          grant.addOIDCScope('openid email offline_access')
          await grant.save()
          return grant
        },
      })
      const callback = provider.callback()
      answer = async (request, response) => {
        if (!request.url?.startsWith('/choose')) return callback(request, response)
        const { user } = behaviour
        const result =
          user === undefined ? { error: 'access_denied' } : { login: { accountId: user, remember: false } }
        return provider.interactionFinished(request, response, result)
      }
      return provider
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
