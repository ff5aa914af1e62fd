import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signalbox } from '@signalbox/core'
import {
  get,
  json,
  loadBalancer,
  post,
  type Route,
  type RouteGroup,
  redirect,
} from '@signalbox/load-balancer'
import { balancerIdentity } from '@signalbox/load-balancer/balancer-identity'
import { bearer } from '@signalbox/load-balancer/bearer'
import { protectedResource } from '@signalbox/load-balancer/protected-resource'
import { sealedSession } from '@signalbox/load-balancer/session'
import { exchange, httpEvent } from '@signalbox/load-balancer/testing'
import * as t from 'io-ts'
import type { Features } from '../features.ts'

type Routes = readonly (Route | RouteGroup)[]
type Options = Parameters<typeof httpEvent>[2]
const ask = (routes: Routes, method: 'GET' | 'POST' | 'DELETE' | 'OPTIONS', path: string, more?: Options) =>
  exchange(signalbox(loadBalancer(routes as never, { log: () => {} })), httpEvent(method, path, more))

async function serving<T>(answer: (path: string) => string, use: (origin: string) => Promise<T>): Promise<T> {
  const server = createServer(({ url }, response) => void response.end(answer(url!)))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const inAMinute = () => Math.floor(Date.now() / 1000) + 60
const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })

function tokenOf(head: object, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const data = `${part({ alg: 'ES256', kid: 'k1', ...head })}.${part(claims)}`
  return `${data}.${sign('sha256', Buffer.from(data), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

/** The features of `@signalbox/load-balancer` for signing in: tokens, sessions and identities of the load balancer. */
export const features: Features = {
  async 'bearer()'() {
    const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'ES256' }
    await serving(
      () => JSON.stringify({ keys: [jwk] }),
      async origin => {
        const signedIn = bearer({
          issuer: origin,
          audience: 'api',
          keys: `${origin}/jwks`,
          token: 'access',
          tolerance: 5,
          claims: t.type({ sub: t.string }),
        })
        const routes = [
          get('/mine', { guard: signedIn }, ({ claims }) => json(claims.sub)),
          get('/report', { guard: signedIn.withScopes('orders:read') }, () => json(1)),
        ]
        const token = tokenOf({}, { iss: origin, aud: 'api', sub: 'ann', exp: inAMinute(), scope: 'none' })
        const headers = { authorization: `Bearer ${token}` }
        assert.equal((await ask(routes, 'GET', '/mine')).status, 401)
        assert.equal((await ask(routes, 'GET', '/mine', { headers })).json, 'ann')
        assert.equal((await ask(routes, 'GET', '/report', { headers })).status, 403)
      },
    )
    assert.throws(() => bearer({ issuer: 'ftp://x', audience: 'a' }), /expected an https address/)
  },
  async 'protectedResource()'() {
    const issuer = 'https://issuer.example'
    const resource = 'https://mcp.example/mcp'
    const published = protectedResource({ resource, issuers: [issuer], scopes: ['openid'], name: 'Orders' })
    const signedIn = bearer({ issuer, audience: resource, metadata: published.metadata })
    const routes = [published.route, get('/mcp', { guard: signedIn }, () => json(1))]
    const found = await ask(routes, 'GET', '/.well-known/oauth-protected-resource/mcp')
    assert.deepEqual((found.json as { authorization_servers: unknown }).authorization_servers, [issuer])
    const refused = await ask(routes, 'GET', '/mcp')
    assert.equal(refused.status, 401)
    assert.equal(refused.header('www-authenticate')[0], `Bearer resource_metadata="${published.metadata}"`)
  },
  async 'sealedSession()'() {
    const session = sealedSession({
      secrets: ['a secret of 32 characters or more'],
      data: t.type({ user: t.string }),
      name: '__Host-s',
      maxAge: 60,
    })
    const routes = [
      post('/sign-in', { body: t.type({ user: t.string }), accepts: ['form'] }, ({ body }) =>
        session.begin(redirect('/me', 303), { user: body.user }),
      ),
      get('/me', { guard: session.guard }, ({ session }) => json(session.user)),
      post('/sign-out', () => session.end(redirect('/', 303))),
    ]
    const begun = await ask(routes, 'POST', '/sign-in', { body: new URLSearchParams('user=ann') })
    const cookie = begun.header('set-cookie')[0]!.split(';')[0]!
    assert.equal((await ask(routes, 'GET', '/me', { headers: { cookie } })).json, 'ann')
    assert.equal((await ask(routes, 'GET', '/me')).status, 401)
    assert.equal((await ask(routes, 'POST', '/sign-out')).status, 303)
    assert.throws(
      () => sealedSession({ secrets: ['short'], data: t.unknown } as never),
      /32 characters or more/,
    )
  },
  async 'balancerIdentity()'() {
    const signer =
      'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188'
    await serving(
      () => publicKey.export({ type: 'spki', format: 'pem' }) as string,
      async origin => {
        const user = balancerIdentity({ signer, keys: id => `${origin}/${id}` })
        const routes = [get('/me', { guard: user }, ({ identity }) => json(identity.email))]
        const head = { typ: 'JWT', iss: 'https://issuer.example', client: 'web', signer, exp: inAMinute() }
        const data = tokenOf(head, { sub: 'ann', email: 'ann@example.com' })
        const headers = { 'x-cloud-oidc-data': data }
        assert.equal((await ask(routes, 'GET', '/me', { headers })).json, 'ann@example.com')
        assert.equal((await ask(routes, 'GET', '/me')).status, 401)
      },
    )
  },
}
