import { InvalidOptionError, refuseUnknownOptions } from '@signalbox/core'
import { json } from '../response/reply.ts'
import { get, type Route } from '../routing/route.ts'

/** Options of `protectedResource`. They describe a resource to clients that need a token for it. */
export interface ProtectedResourceOptions {
  /** The URL that clients send requests to, such as `https://mcp.example/mcp`. It is the audience of the tokens. */
  readonly resource: string
  /** The issuers whose tokens the resource accepts. */
  readonly issuers: readonly [string, ...string[]]
  /** The scopes that clients can ask the issuers for. Default: none are named. */
  readonly scopes?: readonly string[]
  /** The name of the resource, for people. */
  readonly name?: string
}

/** A resource that needs tokens, with its published metadata. */
export interface ProtectedResource {
  /** The URL of the metadata, for the option `metadata` of `bearer()`. */
  readonly metadata: string
  /** The route that answers requests for the metadata, from any origin. It needs no token. */
  readonly route: Route
}

const optionNames = [
  'resource',
  'issuers',
  'scopes',
  'name',
] as const satisfies readonly (keyof ProtectedResourceOptions)[]

/**
 * Publishes where clients get tokens for a resource: the protected resource metadata of RFC 9728, at
 * `/.well-known/oauth-protected-resource`, followed by the path of the resource. MCP clients look there.
 *
 * @example
 * const resource = 'https://mcp.example/mcp'
 * const published = protectedResource({ resource, issuers: [issuer], scopes: ['openid'] })
 * const signedIn = bearer({ issuer, audience: resource, metadata: published.metadata })
 *
 * loadBalancer([published.route, post('/mcp', { guard: signedIn }, ({ claims }) => json(claims.sub))])
 *
 * @throws InvalidOptionError for an unknown option, and for a URL or scope that is missing or invalid
 */
export function protectedResource(options: ProtectedResourceOptions): ProtectedResource {
  refuseUnknownOptions('protectedResource()', options, optionNames)
  const { resource, issuers, scopes = [], name } = options
  const { origin, pathname } = urlIn('resource', resource)
  if (!/^[\w.~/-]*$/.test(pathname))
    throw invalid('resource', resource, 'a path of letters, digits, ., ~, / and -')
  if (!Array.isArray(issuers) || issuers.length === 0) throw invalid('issuers', issuers, 'a list of URLs')
  for (const issuer of issuers) urlIn('issuers', issuer)
  const isScope = (scope: unknown) => typeof scope === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope)
  if (!Array.isArray(scopes) || !scopes.every(isScope)) throw invalid('scopes', scopes, 'a list of scopes')
  if (name !== undefined && typeof name !== 'string') throw invalid('name', name, 'a text')
  const path: `/${string}` = `/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`
  const document = {
    resource,
    authorization_servers: issuers,
    bearer_methods_supported: ['header'],
    ...(scopes.length > 0 && { scopes_supported: scopes }),
    ...(name !== undefined && { resource_name: name }),
  }
  return {
    metadata: `${origin}${path}`,
    route: get(path, () => json(document, { headers: { 'access-control-allow-origin': '*' } })),
  }
}

/** Returns a URL of an option. It uses https, or http on this machine, and has neither query nor fragment. */
function urlIn(option: string, value: unknown): URL {
  const expected = 'an https address without query and fragment; http is for this machine only'
  if (typeof value !== 'string' || !URL.canParse(value) || /[?#]/.test(value))
    throw invalid(option, value, expected)
  const url = new URL(value)
  const isHere = /^(?:localhost|\[::1\]|127(?:\.\d+){3})$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isHere))
    throw invalid(option, value, expected)
  return url
}

function invalid(option: string, value: unknown, expected: string): InvalidOptionError {
  return new InvalidOptionError(
    `protectedResource(): ${option} is ${JSON.stringify(value)}, expected ${expected}`,
  )
}
