import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { signalbox, systemClock } from '@signalbox/core'
import * as t from 'io-ts'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import * as v from 'valibot'
import * as z from 'zod'
import { headerModes } from '../../fixtures/header-modes.ts'
import { get, group, guard, json, loadBalancer, type Route, type RouteGroup } from '../index.ts'
import { exchange, httpEvent } from '../testing/index.ts'
import { type BearerOptions, bearer } from './index.ts'

interface SigningKey {
  readonly kid: string
  readonly alg: string
  readonly secret: CryptoKey
  readonly published: object
}

async function signingKey(kid: string, alg = 'ES256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg)
  return { kid, alg, secret: privateKey, published: { ...(await exportJWK(publicKey)), kid, alg } }
}

const known = await signingKey('known')
const other = await signingKey('other')
const rsa = await signingKey('rsa', 'RS256')
const bare = () => ({ keys: [known, rsa], status: 200, document: {} as object, asked: [] as string[] })
let state = bare()
let issuer = ''
const server = createServer(({ url }, response) => {
  state.asked.push(url!)
  const body = url!.endsWith('/openid-configuration')
    ? { issuer, jwks_uri: `${issuer}/jwks`, ...state.document }
    : { keys: state.keys.map(({ published }) => published) }
  response.writeHead(state.status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/pool`
})
afterEach(() => {
  state = bare()
  jest.restoreAllMocks()
})
afterAll(() => void server.close())

const discovery = '/pool/.well-known/openid-configuration'
const later = (milliseconds: number) => {
  const wall = Date.now() + milliseconds
  const monotonic = systemClock.now() + milliseconds
  jest.spyOn(Date, 'now').mockReturnValue(wall)
  // Not `process.hrtime`: the clock would stay ahead for the tests that follow.
  jest.spyOn(systemClock, 'now').mockReturnValue(monotonic)
}

const sign = (
  claims: { readonly [claim: string]: unknown } = {},
  { kid, alg, secret } = known,
  header: object = {},
) =>
  new SignJWT({
    ...{ iss: issuer, aud: 'api', sub: 'ann', exp: Math.floor(Date.now() / 1000) + 60 },
    ...claims,
  } as JWTPayload)
    .setProtectedHeader({ alg, kid, ...header })
    .sign(secret)

/** Returns the challenge of RFC 6750 for an invalid token. */
const invalid = (why: string) => `Bearer error="invalid_token", error_description="${why}"`

describe.each(headerModes)('bearer() with %s', (_headers, multiValue) => {
  const serving = (...routes: readonly (Route | RouteGroup)[]) => {
    const log: string[] = []
    const handler = signalbox(loadBalancer(routes, { log: line => log.push(line) }))
    const ask = async (authorization?: string, path = '/') => {
      const headers = authorization === undefined ? {} : { authorization }
      const answer = await exchange(handler, httpEvent('GET', path, { headers, multiValue }))
      return { status: answer.status, says: answer.header('www-authenticate')[0], json: answer.json }
    }
    return { ask, log, handler }
  }
  const guarded = <C>(options: Partial<BearerOptions<C>> = {}) =>
    serving(
      get('/', { guard: bearer({ issuer, audience: 'api', ...options }) }, ({ claims }) => json(claims)),
    )

  it('gives the route the claims of a token that the issuer signed', async () => {
    const { ask } = guarded()
    for (const key of [known, rsa]) {
      const token = await sign({ tenant: 't1' }, key)
      expect(await ask(`Bearer ${token}`)).toMatchObject({
        status: 200,
        json: { iss: issuer, sub: 'ann', tenant: 't1' },
      })
      expect(await ask(`bearer   ${token} `)).toMatchObject({ status: 200 })
    }
    // Only the first token causes the keys to be fetched.
    expect(state.asked).toEqual([discovery, '/pool/jwks'])
  })

  it('answers 401 to a request without a token, and omits the error code from the challenge', async () => {
    const { ask, log } = guarded()
    for (const header of [undefined, 'Basic YTpi', 'Bearerx abc'])
      expect(await ask(header)).toMatchObject({ status: 401, says: 'Bearer' })
    expect(state.asked).toEqual([])
    expect(log).toEqual([])
  })

  it.each(['Bearer', 'Bearer ', 'Bearer a b', 'Bearer a, Bearer b', 'Bearer "a"', 'Bearer ä'])(
    'answers 400 to the malformed header %p',
    async header => {
      expect(await guarded().ask(header)).toMatchObject({
        status: 400,
        says: 'Bearer error="invalid_request", error_description="The Authorization header is not one bearer token"',
      })
    },
  )

  it.each<[string, () => Promise<string> | string, string]>([
    ['is not a JWT', () => 'abc', 'The token is not valid'],
    [
      'is signed with a key of another issuer',
      () => sign({}, { ...other, kid: 'known' }),
      'The token is not valid',
    ],
    ['is signed with an unknown key', () => sign({}, other), 'The token is not valid'],
    ['is not signed', () => unsigned(), 'The token is not valid'],
    ['is signed with the public key as a secret', () => confused(), 'The token is not valid'],
    [
      'comes from another issuer',
      () => sign({ iss: 'https://other.example' }),
      'The token is of another issuer',
    ],
    ['has expired', () => sign({ exp: Math.floor(Date.now() / 1000) - 6 }), 'The token has expired'],
    ['never expires', () => sign({ exp: undefined }), 'The token is not valid'],
    ['is not valid yet', () => sign({ nbf: Math.floor(Date.now() / 1000) + 60 }), 'The token is not valid'],
    ['names another audience', () => sign({ aud: ['b', 'c'] }), 'The token is for another audience'],
    ['names no audience', () => sign({ aud: undefined }), 'The token is for another audience'],
    [
      'belongs to another client',
      () => sign({ aud: 'b', client_id: 'api' }),
      'The token is for another audience',
    ],
    ['is an identity token', () => sign({ token_use: 'id' }), 'The token is not an access token'],
    ['is a logout token', () => sign({}, known, { typ: 'logout+jwt' }), 'The token is not an access token'],
  ])('refuses a token that %s', async (_, make, why) => {
    const { ask, log } = guarded()
    const token = await make()
    const answer = await ask(`Bearer ${token}`)
    expect(answer).toMatchObject({ status: 401, says: invalid(why), json: { detail: why } })
    expect(JSON.stringify([answer, log])).not.toContain(token)
  })

  it('accepts an access token that has an expected client_id instead of an audience', async () => {
    const { ask } = guarded({ audience: ['web', 'app'] })
    const token = await sign({ aud: undefined, client_id: 'app', token_use: 'access' }, known, {
      typ: 'at+jwt',
    })
    expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 200 })
  })

  it('accepts only identity tokens when the `token` option is "id"', async () => {
    const { ask } = guarded({ token: 'id' })
    expect(await ask(`Bearer ${await sign({ token_use: 'id' })}`)).toMatchObject({ status: 200 })
    for (const token of [
      await sign({ token_use: 'access' }),
      await sign({}, known, { typ: 'application/at+jwt' }),
    ])
      expect(await ask(`Bearer ${token}`)).toMatchObject({ says: invalid('The token is not an id token') })
    const ofClient = await sign({ aud: undefined, client_id: 'api' })
    expect(await ask(`Bearer ${ofClient}`)).toMatchObject({ status: 401 })
  })

  it('accepts an expired token within the tolerance', async () => {
    const token = await sign({ exp: Math.floor(Date.now() / 1000) - 6 })
    expect(await guarded({ tolerance: 60 }).ask(`Bearer ${token}`)).toMatchObject({ status: 200 })
  })

  it.each([
    ['zod', z.object({ tenant: z.string().refine(async tenant => tenant !== 'closed') })],
    ['valibot', v.object({ tenant: v.pipe(v.string(), v.notValue('closed')) })],
  ])('checks claims with a %s schema', async (_, claims) => {
    const { ask } = guarded({ claims: claims as never })
    expect(await ask(`Bearer ${await sign({ tenant: 't1' })}`)).toMatchObject({
      status: 200,
      json: { tenant: 't1' },
    })
    for (const wrong of [{}, { tenant: 7 }, { tenant: 'closed' }]) {
      expect(await ask(`Bearer ${await sign(wrong)}`)).toMatchObject({ status: 401 })
    }
  })

  it('checks claims with an io-ts codec, and keeps claims that the codec does not name', async () => {
    const { ask } = guarded({ claims: t.strict({ tenant: t.string }) })
    const token = await sign({ tenant: 't1' })
    expect(await ask(`Bearer ${token}`)).toMatchObject({ json: { tenant: 't1', iss: issuer } })
    expect(await ask(`Bearer ${await sign({ tenant: 7 })}`)).toMatchObject({
      status: 401,
      says: invalid('The token lacks a claim, or has another value than expected'),
    })
  })

  it('answers 403 to a token without the required scopes', async () => {
    const signedIn = bearer({ issuer, audience: 'api' })
    const { ask } = serving(
      group('/', [signedIn], ({ get }) => [
        get('/', ({ claims }) => json(claims.sub)),
        get('/both', { guard: signedIn.withScopes('orders:read', 'orders:write') }, () => json('done')),
      ]),
    )
    const refused = {
      status: 403,
      says: 'Bearer error="insufficient_scope", error_description="The token lacks a scope", scope="orders:read orders:write"',
    }
    for (const scope of [undefined, 'orders:read', 'orders:read,orders:write', 7]) {
      const token = await sign({ scope })
      expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 200 })
      expect(await ask(`Bearer ${token}`, '/both')).toMatchObject(refused)
    }
    for (const claims of [{ scope: 'a orders:write orders:read' }, { scp: ['orders:read', 'orders:write'] }])
      expect(await ask(`Bearer ${await sign(claims)}`, '/both')).toMatchObject({ json: 'done' })
    expect(await ask(undefined, '/both')).toMatchObject({ status: 401, says: 'Bearer' })
    expect(state.asked).toHaveLength(2)
  })

  it('can be combined with other guards', async () => {
    const tenant = guard(({ query }) => ({ tenant: query.first('tenant') }))
    const { ask } = serving(
      group('/', [bearer({ issuer, audience: 'api' }), tenant], ({ get }) => [
        get('/', ({ claims, tenant }) => json([claims.sub, tenant])),
      ]),
    )
    expect(await ask(`Bearer ${await sign()}`, '/?tenant=t1')).toMatchObject({ json: ['ann', 't1'] })
  })

  it('says once that the issuer differs from that of the tokens by a slash', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue()
    const { ask } = guarded({ issuer: `${issuer}/` })
    for (const iss of ['https://other.example', issuer, issuer]) {
      const says = invalid('The token is of another issuer')
      expect(await ask(`Bearer ${await sign({ iss })}`)).toMatchObject({ status: 401, says })
    }
    expect(warn.mock.calls).toEqual([
      [`bearer(): issuer is "${issuer}/", but tokens name "${issuer}": write it so`],
    ])
  })

  it('fetches no keys for a token that names another issuer', async () => {
    const { ask } = guarded()
    await ask(`Bearer ${await sign({ iss: 'https://other.example' })}`)
    await ask('Bearer abc')
    expect(state.asked).toEqual([])
  })

  it('fetches the keys again for a token with an unknown key, but at most twice a minute', async () => {
    const { ask } = guarded()
    const token = await sign({}, other)
    for (let i = 0; i < 20; i++) expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 401 })
    expect(state.asked).toEqual([discovery, '/pool/jwks'])
    state.keys = [other]
    later(31_000)
    expect(await ask(`Bearer ${token}`)).toMatchObject({ status: 200 })
    expect(state.asked).toHaveLength(3)
    // A key that the issuer has withdrawn is no longer valid.
    expect(await ask(`Bearer ${await sign()}`)).toMatchObject({ status: 401 })
  })

  it('fetches the keys again after ten minutes', async () => {
    const { ask } = guarded()
    expect(await ask(`Bearer ${await sign()}`)).toMatchObject({ status: 200 })
    state.keys = [other]
    later(601_000)
    expect(await ask(`Bearer ${await sign({ exp: 9e9 })}`)).toMatchObject({ status: 401 })
  })

  it.each<[string, object]>([
    ['fails', { status: 500 }],
    ['redirects', { status: 302 }],
    ['names another issuer', { document: { issuer: 'https://other.example' } }],
    ['names no key set', { document: { jwks_uri: undefined } }],
  ])('answers 503 while OpenID discovery %s, and recovers later', async (_, failure) => {
    Object.assign(state, failure)
    const { ask, log } = guarded()
    const token = `Bearer ${await sign({ exp: 9e9 })}`
    expect(await Promise.all([ask(token), ask(token)])).toMatchObject([{ status: 503 }, { status: 503 }])
    expect(log[0]).toContain(`The keys of ${issuer} could not be fetched`)
    const asked = state.asked.length
    if (state.status !== 200) {
      expect(asked).toBe(1)
      expect(await ask(token)).toMatchObject({ status: 503 })
      expect(state.asked).toHaveLength(1)
    }
    Object.assign(state, bare())
    later(3_001)
    expect(await ask(token)).toMatchObject({ status: 200 })
  })

  it('fetches keys from the URL in the `keys` option', async () => {
    const { ask } = guarded({ keys: `${issuer}/elsewhere` })
    expect(await ask(`Bearer ${await sign()}`)).toMatchObject({ status: 200 })
    expect(state.asked).toEqual(['/pool/elsewhere'])
  })
})

it('bearer() answers 400 to two Authorization headers', async () => {
  const route = get('/', { guard: bearer({ issuer, audience: 'api' }) }, () => json('done'))
  const handler = signalbox(loadBalancer([route]))
  const event = httpEvent('GET', '/', { multiValue: true })
  const twice = { ...event, multiValueHeaders: { authorization: ['Bearer a', 'Basic b'] } }
  expect(await exchange(handler, twice as never)).toMatchObject({ status: 400 })
})

it.each<[object, string]>([
  [{ audience: 'a' }, 'bearer(): issuer is undefined, expected an https address'],
  [{ issuer: 'a', audience: 'a' }, 'bearer(): issuer is "a", expected an https address'],
  [
    { issuer: 'http://issuer.example', audience: 'a' },
    'expected an https address; http is for this machine only',
  ],
  [{ issuer: 'https://a.example' }, 'bearer(): audience is missing or empty'],
  [{ issuer: 'https://a.example', audience: [] }, 'bearer(): audience is missing or empty'],
  [{ issuer: 'https://a.example', audience: ['a', ''] }, 'bearer(): audience is missing or empty'],
  [
    { issuer: 'https://a.example', audience: 'a', token: 'refresh' },
    "token is \"refresh\", expected 'access' or 'id'",
  ],
  [{ issuer: 'https://a.example', audience: 'a', keys: 'file:///keys' }, 'keys is "file:///keys"'],
  [{ issuer: 'https://a.example', audience: 'a', tolerance: -1 }, 'tolerance is -1, expected seconds'],
  [
    { issuer: 'https://a.example', audience: 'a', scopes: [] },
    'bearer() has no option "scopes". The options are',
  ],
])('bearer() refuses the options %j', (options, message) => {
  expect(() => bearer(options as never)).toThrow(message)
})

it('bearer() refuses invalid scopes', () => {
  const signedIn = bearer({ issuer: 'http://localhost:9331/pool', audience: 'a' })
  expect(signedIn.name).toBe('bearer')
  expect(() => signedIn.withScopes(...([] as unknown as [string]))).toThrow(
    'withScopes() takes at least one scope',
  )
  for (const scope of ['', 'a b', 'a"', 7])
    expect(() => signedIn.withScopes(scope as never)).toThrow('is not one scope')
})

const unsigned = () => new UnsecuredJWT({ iss: issuer, aud: 'api', exp: 9e9 }).encode()
const confused = () =>
  new SignJWT({ iss: issuer, aud: 'api', exp: 9e9 })
    .setProtectedHeader({ alg: 'HS256', kid: 'known' })
    .sign(Buffer.from(JSON.stringify(known.published)))
