import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { type JWTPayload, SignJWT } from 'jose'
import { started } from '../../testing/named-functions.ts'

const clock = manualClock(Date.now())
const issuer = 'https://issuer.example'
const known = generateKeyPairSync('rsa', { modulusLength: 2048 })
const other = generateKeyPairSync('rsa', { modulusLength: 3072 })
const published = (kid: string, { publicKey }: typeof known = known) => ({
  ...publicKey.export({ format: 'jwk' }),
  ...{ kid, use: 'sig' },
})

let asked = 0
let answer: { readonly status: number; readonly body: string; readonly location?: string }
const keys = (...kids: readonly string[]) => ({
  status: 200,
  body: JSON.stringify({ keys: kids.map(kid => published(kid)) }),
})
const server = createServer((_request, response) => {
  asked++
  response.writeHead(answer.status, answer.location === undefined ? {} : { location: answer.location })
  response.end(answer.body)
})
let url = ''
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = 0
  answer = keys('k1')
})

const seconds = () => Math.floor(clock.wall() / 1000)
function token(claims: JWTPayload = {}, header: object = {}, key = known.privateKey): Promise<string> {
  const payload = { iss: issuer, exp: seconds() + 60, ...claims }
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'k1', ...header }).sign(key)
}

const claims = [
  { name: 'client_id', values: ['a', 'b'] },
  { name: 'roles', format: 'list', values: ['staff'] },
  { name: 'scope', format: 'words', values: ['orders/read', 'orders/write'] },
] as const
const fitting = { client_id: 'b', roles: ['guest', 'staff'], scope: 'openid orders/read' }

async function balancer(more: object = { claims }) {
  const running = await started({ function: 'one', validateJwt: { issuer, keys: url, ...more } } as never, {
    clock,
  })
  const ask = async (authorization: string | readonly string[] | undefined) => {
    const { status, headers } = await running.send({
      headers: authorization === undefined ? {} : { authorization },
    })
    return status === 401 ? headers['www-authenticate'] : status
  }
  return { ask, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() }
}

describe('a request goes on with a token', () => {
  it('that has the issuer, the time and the claims, as it is', async () => {
    await using running = await balancer()
    expect(await running.ask(`Bearer ${await token(fitting)}`)).toBe(200)
    expect(await running.ask(`bearer ${await token({ ...fitting, nbf: seconds(), iat: seconds() })}`)).toBe(
      200,
    )
    expect(asked).toBe(1)
  })

  const invalid = 'Bearer error="invalid_token"'
  it.each<[string, () => Promise<string>]>([
    ['another issuer', () => token({ ...fitting, iss: 'https://other.example' })],
    ['no issuer', () => token({ ...fitting, iss: undefined as never })],
    ['no end', () => token({ ...fitting, exp: undefined as never })],
    ['an end in the past', () => token({ ...fitting, exp: seconds() - 60 })],
    ['a beginning in the future', () => token({ ...fitting, nbf: seconds() + 60 })],
    ['an issue in the future', () => token({ ...fitting, iat: seconds() + 60 })],
    ['another text', () => token({ ...fitting, client_id: 'c' })],
    ['a list instead of a text', () => token({ ...fitting, client_id: ['a'] })],
    ['a text instead of a list', () => token({ ...fitting, roles: 'staff' })],
    ['a part of a word', () => token({ ...fitting, scope: 'orders/reader' })],
    ['no claim', () => token({ ...fitting, scope: undefined })],
    ['another key', () => token(fitting, {}, other.privateKey)],
    ['the algorithm RS512', () => token(fitting, { alg: 'RS512' })],
    ['the algorithm PS256', () => token(fitting, { alg: 'PS256' })],
    [
      'a secret as its key',
      async () =>
        new SignJWT({ iss: issuer, exp: seconds() + 60, ...fitting })
          .setProtectedHeader({ alg: 'HS256', kid: 'k1' })
          .sign(known.publicKey.export({ type: 'spki', format: 'der' })),
    ],
    [
      'no signature',
      async () =>
        `${(await token(fitting, {}))
          .split('.')
          .slice(0, 2)
          .join('.')
          .replace(/^[^.]*/, Buffer.from('{"alg":"none"}').toString('base64url'))}.`,
    ],
    ['nothing in it', async () => 'abc'],
  ])('but not with %s', async (_what, make) => {
    await using running = await balancer()
    expect(await running.ask(`Bearer ${await make()}`)).toBe(invalid)
  })

  it('but not without one, and not with two', async () => {
    await using running = await balancer()
    expect(await running.ask(undefined)).toBe('Bearer')
    expect(await running.ask('Basic YTpi')).toBe('Bearer')
    expect(await running.ask(['Bearer a', 'Bearer b'])).toBe('Bearer')
    expect(asked).toBe(0)
  })
})

describe('a key set', () => {
  it('comes again for an unknown key, at most twice a minute, and after five minutes', async () => {
    await using running = await balancer({})
    expect(await running.ask(`Bearer ${await token()}`)).toBe(200)
    const next = await token({}, { kid: 'k2' })
    answer = keys('k1', 'k2')
    for (let at = 0; at < 3; at++) expect(await running.ask(`Bearer ${next}`)).toMatch('invalid_token')
    expect(asked).toBe(1)
    await clock.advance(30_000)
    expect(await running.ask(`Bearer ${await token({}, { kid: 'k2' })}`)).toBe(200)
    expect(asked).toBe(2)
    await clock.advance(5 * 60_000)
    answer = { status: 500, body: '' }
    expect(await running.ask(`Bearer ${await token()}`)).toBe(200)
    expect(asked).toBe(3)
  })

  it.each<[string, () => typeof answer]>([
    ['is larger than 150 KB', () => ({ status: 200, body: `${keys('k1').body}${' '.repeat(150 * 1024)}` })],
    ['has more than ten keys', () => keys(...Array.from({ length: 11 }, (_, at) => `k${at}`))],
    ['is none', () => ({ status: 200, body: '{"keys":{}}' })],
    ['is not JSON', () => ({ status: 200, body: '<html>' })],
    ['is a redirect', () => ({ status: 302, body: '', location: url })],
    ['does not come', () => ({ status: 404, body: '' })],
  ])('that %s is not used', async (_what, make) => {
    answer = make()
    await using running = await balancer({})
    expect(await running.ask(`Bearer ${await token()}`)).toBe(500)
    expect(await running.ask(`Bearer ${await token()}`)).toBe(500)
    expect(asked).toBe(1)
    answer = keys('k1')
    await clock.advance(30_000)
    expect(await running.ask(`Bearer ${await token()}`)).toBe(200)
  })
})

it.each<[string, object, string]>([
  [
    'eleven claims',
    { claims: Array.from({ length: 11 }, () => claims[0]) },
    '/claims: expected at most 10 claims',
  ],
  [
    'eleven values',
    { claims: [{ name: 'a', values: Array(11).fill('a') }] },
    '/claims/0/values: expected one to ten',
  ],
  ['no values', { claims: [{ name: 'a', values: [] }] }, '/claims/0/values'],
  ['claims that are always checked', { claims: [{ name: 'exp', values: ['1'] }] }, '/claims/0/name'],
  [
    'spaces in words',
    { claims: [{ name: 'a', format: 'words', values: ['a b'] }] },
    'expected values without spaces',
  ],
  [
    'keys by http from elsewhere',
    { keys: 'http://keys.example/' },
    '/validateJwt/keys: expected an https URL',
  ],
  ['an unknown key', { algorithms: ['RS512'] }, '/validateJwt/algorithms'],
])('the configuration refuses %s', async (_what, more, problem) => {
  await expect(balancer(more)).rejects.toThrow(problem)
})
