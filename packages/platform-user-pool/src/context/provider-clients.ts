import type { Configuration } from 'openid-client'
import type { IdentityProviderSettings } from '../config/user-pool-settings.ts'
import { publicFetch } from './public-fetch.ts'

/** The clients of identity providers. */
export interface ProviderClients {
  /**
   * Returns the client of a provider, with the provider's discovery document. The document is cached.
   * Rejects when the provider cannot be reached.
   */
  readonly clientOf: (provider: IdentityProviderSettings) => Promise<Configuration>
  /** Returns whether the configuration lets providers of the API be at this host. Its name is not resolved. */
  readonly mayBePrivate: (url: URL) => boolean
}

/** The maximum number of cached documents, because clients of the API can create any number of providers. */
const mostCached = 200

/** The addresses that a sign-in needs (OpenID Connect Discovery, 3). */
const needed = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const

/** Returns whether an address in a provider's document can be used: by https, or by http if the issuer is, too. */
function isAddress(value: unknown, issuer: string): boolean {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'))
}

/**
 * Makes the clients of identity providers. They connect to public addresses only, except for the hosts of issuers that
 * the configuration names.
 * @param privateHosts further hosts that may have private addresses, with or without a port
 */
export function providerClients(privateHosts: readonly string[]): ProviderClients {
  const known = new Map<string, Promise<Configuration>>()
  const mayBePrivate = ({ host, hostname }: URL) =>
    privateHosts.includes(host) || privateHosts.includes(hostname)

  const discovered = async ({ issuer, clientId, clientSecret, isConfigured }: IdentityProviderSettings) => {
    const client = await import('openid-client')
    const own = isConfigured ? new URL(issuer).host : undefined
    const configuration = await client.discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret),
      {
        [client.customFetch]: publicFetch(url => url.host === own || mayBePrivate(url)),
        execute: [
          // Without this, the library trusts the connection to the provider, and does not check signatures.
          client.enableNonRepudiationChecks,
          // An issuer by http is on this machine.
          ...(issuer.startsWith('http:') ? [client.allowInsecureRequests] : []),
        ],
      },
    )
    const document = configuration.serverMetadata()
    const unusable = needed.find(name => !isAddress(document[name], issuer))
    if (unusable !== undefined) throw new Error(`its discovery document has no usable ${unusable}.`)
    return configuration
  }

  return {
    mayBePrivate,
    async clientOf(provider) {
      const { issuer, clientId, clientSecret, isConfigured } = provider
      const key = JSON.stringify([issuer, clientId, clientSecret, isConfigured])
      const asked = known.get(key) ?? discovered(provider)
      known.set(key, asked)
      for (const oldest of known.keys()) {
        if (known.size <= mostCached) break
        known.delete(oldest)
      }
      try {
        return await asked
      } catch (error) {
        known.delete(key)
        throw error
      }
    },
  }
}
