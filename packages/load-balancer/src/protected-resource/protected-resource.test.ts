import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { headerModes } from '../../fixtures/header-modes.ts'
import { bearer } from '../bearer/index.ts'
import { get, json, loadBalancer } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { protectedResource } from './index.ts'

const resource = 'https://mcp.example/mcp'
const metadata = 'https://mcp.example/.well-known/oauth-protected-resource/mcp'
const { privateKey, publicKey } = await generateKeyPair('ES256')
const jwk = { ...(await exportJWK(publicKey)), kid: 'known', alg: 'ES256' }
const server = createServer((_, response) => void response.end(JSON.stringify({ keys: [jwk] })))
let issuer = ''

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close())

const sign = (claims: JWTPayload) =>
  new SignJWT({ iss: issuer, exp: Math.floor(Date.now() / 1000) + 60, ...claims })
    .setProtectedHeader({ alg: 'ES256', kid: 'known' })
    .sign(privateKey)

describe.each(headerModes)('protectedResource() with %s', (_headers, multiValue) => {
  const published = protectedResource({
    ...{ resource, name: 'Orders', scopes: ['openid'] },
    issuers: ['https://issuer.example/pool'],
  })
  const ask = async (path: string, authorization?: string) => {
    const signedIn = bearer({
      ...{ issuer, audience: resource, metadata: published.metadata },
      keys: `${issuer}/jwks`,
    })
    const handler = signalbox(
      loadBalancer(
        [
          published.route,
          get('/mcp', { guard: signedIn }, ({ claims }) => json(claims.sub)),
          get('/write', { guard: signedIn.withScopes('write') }, () => json('done')),
        ],
        { log: () => undefined },
      ),
    )
    const headers = authorization === undefined ? {} : { authorization }
    return exchange(handler, httpEvent('GET', path, { headers, multiValue }))
  }

  it('answers at the well-known path of the resource, to any origin and without a token', async () => {
    const answer = await ask('/.well-known/oauth-protected-resource/mcp')
    expect(published.metadata).toBe(metadata)
    expect(answer.header('access-control-allow-origin')).toEqual(['*'])
    expect(answer.json).toEqual({
      resource,
      authorization_servers: ['https://issuer.example/pool'],
      bearer_methods_supported: ['header'],
      scopes_supported: ['openid'],
      resource_name: 'Orders',
    })
  })

  it('lets bearer() name the metadata in every challenge', async () => {
    const named = `resource_metadata="${metadata}"`
    const says = async (path: string, authorization?: string) => {
      const answer = await ask(path, authorization)
      return [answer.status, answer.header('www-authenticate')[0]]
    }
    expect(await says('/mcp')).toEqual([401, `Bearer ${named}`])
    expect(await says('/mcp', 'Bearer abc')).toEqual([
      401,
      `Bearer error="invalid_token", error_description="The token is not valid", ${named}`,
    ])
    const token = await sign({ aud: resource, sub: 'ann' })
    expect(await says('/write', `Bearer ${token}`)).toEqual([
      403,
      `Bearer error="insufficient_scope", error_description="The token lacks a scope", scope="write", ${named}`,
    ])
    expect((await ask('/mcp', `Bearer ${token}`)).json).toBe('ann')
  })

  it('makes bearer() refuse a token for another resource, and one that is for a client alone', async () => {
    for (const claims of [{ aud: 'https://other.example/mcp' }, { client_id: resource }, {}])
      expect(await ask('/mcp', `Bearer ${await sign(claims)}`)).toMatchObject({ status: 401 })
  })
})

it('protectedResource() names the metadata of a resource without a path', () => {
  const { metadata } = protectedResource({
    resource: 'http://localhost:8080',
    issuers: ['https://i.example'],
  })
  expect(metadata).toBe('http://localhost:8080/.well-known/oauth-protected-resource')
})

it.each<[object, string]>([
  [{}, 'resource is undefined, expected an https address'],
  [{ resource: 'http://mcp.example' }, 'http is for this machine only'],
  [{ resource: `${resource}?a` }, 'without query and fragment'],
  [{ resource: 'https://mcp.example/{a}' }, 'expected a path of letters'],
  [{ resource, issuers: [] }, 'issuers is [], expected a list of URLs'],
  [{ resource, issuers: ['pool'] }, 'issuers is "pool", expected an https address'],
  [{ resource, issuers: ['https://i.example'], scopes: ['a b'] }, 'expected a list of scopes'],
  [{ resource, issuers: ['https://i.example'], name: 7 }, 'name is 7, expected a text'],
  [{ resource, issuer: 'https://i.example' }, 'has no option "issuer". Did you mean issuers?'],
])('protectedResource() refuses the options %j', (options, message) => {
  expect(() => protectedResource(options as never)).toThrow(message)
})
