import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { signalbox } from '@signalbox/core'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, group, json, loadBalancer } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { balancerIdentity } from './index.ts'

const signer = 'arn:aws:elasticloadbalancing:eu-central-1:123456789012:loadbalancer/app/web/50dc6c495c0c9188'
const known = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const other = generateKeyPairSync('ec', { namedCurve: 'P-256' })
let asked: string[] = []
let status = 200
const server = createServer(({ url }, response) => {
  asked.push(url!)
  response.writeHead(url === '/none' ? 404 : status)
  response.end(known.publicKey.export({ type: 'spki', format: 'pem' }))
})
let origin = ''

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  asked = []
  status = 200
})
afterAll(() => void server.close())

const later = () => Math.floor(Date.now() / 1000) + 60

/**
 * Returns a token in the format that load balancers use. Its Base64url has padding, and its header contains the signer,
 * the issuer, the client and the expiry.
 */
function token(header: object = {}, claims: object = {}, key: KeyObject = known.privateKey): string {
  const part = (value: object) =>
    Buffer.from(JSON.stringify(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_')
  const head = {
    typ: 'JWT',
    kid: 'k1',
    alg: 'ES256',
    iss: 'https://issuer.example',
    client: 'web',
    signer,
    exp: later(),
  }
  const data = `${part({ ...head, ...header })}.${part({ sub: 'ann', email: 'ann@example.com', ...claims })}`
  return `${data}.${sign('sha256', Buffer.from(data), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}==`
}

describe.each(headerModes)('balancerIdentity() with %s', (_headers, multiValue) => {
  const serving = (options: object = {}) => {
    const user = balancerIdentity({ signer, keys: id => `${origin}/${id}`, ...options })
    const handler = signalbox(
      loadBalancer([
        get('/me', { guard: user }, ({ identity }) => json(identity)),
        group('/all', [user], ({ get }) => [get('/', ({ identity }) => json(identity.sub))]),
      ]),
    )
    return (data?: string | string[], path = '/me') => {
      const headers = data === undefined ? {} : { 'x-cloud-oidc-data': data }
      return exchange(handler, httpEvent('GET', path, { multiValue, headers }))
    }
  }

  it('gives the route the claims about the user, and fetches each key once', async () => {
    const ask = serving({ issuer: 'https://issuer.example', client: ['web', 'app'] })
    expect(await ask(token())).toMatchObject({ status: 200, json: { sub: 'ann', email: 'ann@example.com' } })
    expect(await ask(token(), '/all')).toMatchObject({ status: 200, json: 'ann' })
    expect(asked).toEqual(['/k1'])
  })

  it.each<[string, () => string]>([
    ['another signer signed', () => token({ signer: `${signer}0` })],
    ['names no signer', () => token({ signer: undefined })],
    ['comes from another issuer', () => token({ iss: 'https://other.example' })],
    ['belongs to another client', () => token({ client: 'other' })],
    ['has expired', () => token({ exp: later() - 120 })],
    ['never expires', () => token({ exp: undefined })],
    ['has expired according to its claims', () => token({}, { exp: later() - 120 })],
    ['names no user', () => token({}, { sub: undefined })],
    ['another key signed', () => token({}, {}, other.privateKey)],
    ['names an unknown key', () => token({ kid: 'none' })],
    ['names a key with a relative path', () => token({ kid: '../k1' })],
    ['names no key', () => token({ kid: undefined })],
    ['has another algorithm', () => token({ alg: 'HS256' })],
    ['is not signed', () => `${token({ alg: 'none' }).split('.').slice(0, 2).join('.')}.`],
    [
      'was changed after it was signed',
      () => token().replace(/\.[^.]*\./, `.${Buffer.from('{"sub":"bob"}').toString('base64url')}.`),
    ],
    ['is not a JWT', () => 'abc'],
  ])('refuses a token that %s', async (_, make) => {
    const ask = serving({ issuer: 'https://issuer.example', client: 'web' })
    const answer = await ask(make())
    expect(answer).toMatchObject({
      status: 401,
      json: { detail: 'The identity of the load balancer is not valid' },
    })
  })

  it('fetches no key for a token that names another signer', async () => {
    await serving()(token({ signer: 'other' }))
    expect(asked).toEqual([])
  })

  it('answers 401 to a request without an x-cloud-oidc-data header', async () => {
    expect(await serving()()).toMatchObject({ status: 401, json: { detail: 'Sign in first' } })
  })

  it('answers 503 while a key cannot be fetched, and tries again at the next request', async () => {
    const ask = serving()
    status = 500
    expect(await ask(token())).toMatchObject({ status: 503 })
    status = 200
    expect(await ask(token())).toMatchObject({ status: 200 })
  })
})

it('balancerIdentity() refuses two x-cloud-oidc-data headers, because a client could have sent one of them', async () => {
  const user = balancerIdentity({ signer, keys: id => `${origin}/${id}` })
  const handler = signalbox(loadBalancer([get('/', { guard: user }, () => json(1))]))
  const headers = { 'x-cloud-oidc-data': [token(), token()] }
  expect(await exchange(handler, httpEvent('GET', '/', { multiValue: true, headers }))).toMatchObject({
    status: 401,
  })
})

it.each([
  ['a missing signer', {}, 'signer is missing or empty'],
  ['an empty list of signers', { signer: [], keys: String }, 'signer is missing or empty'],
  ['a missing keys option', { signer }, 'keys is missing'],
  ['an unknown option', { signer, keys: String, region: 'a' }, 'region'],
])('balancerIdentity() refuses %s', (_, options, why) => {
  expect(() => balancerIdentity(options as never)).toThrow(why)
})
