import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { signatureHeaders } from '../signature/signature-v4.ts'
import { makeAccess } from './access.ts'

const secretOf = (id: string) => `a long secret of ${id}`
const key = (id: string) => ({ accessKeyId: id, secretAccessKey: secretOf(id) })

function opened() {
  const clock = manualClock(Date.UTC(2026, 10, 22))
  const identities = ['shop', 'ops'].map(name => ({
    name,
    keys: [key(name), { accessKeyId: `${name}-token`, secretAccessKey: `secret-of-${name}` }],
    rights: {},
  }))
  const access = makeAccess(
    { identities },
    {
      keys: () => undefined,
      clock,
      operator: () => undefined,
      log: { add() {}, read: async () => [], close: async () => {} },
    },
  )
  const body = Buffer.from('{}')
  const claim = (id: string, secret = secretOf(id), address = '192.0.2.1') => {
    const request = { method: 'POST', target: '/', headers: ['host', 'queues.example'], body }
    const scope = { region: 'local', service: 'sqs', now: clock.now() }
    const signature = signatureHeaders(request, { accessKeyId: id, secretAccessKey: secret }, scope)
    const headers = [...request.headers, ...Object.entries(signature).flat()]
    return access.signed({ ...request, headers }, 'sqs', address)
  }
  const sign = (...client: Parameters<typeof claim>) => {
    const claimed = claim(...client)
    const found = 'problem' in claimed ? claimed : claimed.verify(body)
    return 'problem' in found ? found.problem : found.name
  }
  return { clock, access, claim, sign, body }
}

describe('failed authentications', () => {
  it('make even a client with the right secret wait, after thirty wrong secrets for a key', async () => {
    const { clock, sign } = opened()
    for (let guess = 0; guess < 30; guess++) expect(sign('shop', `guess ${guess}`)).toBe('InvalidSignature')
    expect(sign('shop', 'guess 31')).toBe('Throttled')
    expect(sign('shop')).toBe('Throttled')
    await clock.advance(2 * 60_000)
    expect(sign('shop')).toBe('shop')
  })

  it('with one key do not lock out other keys, or clients from other networks', () => {
    const { sign } = opened()
    for (let guess = 0; guess < 40; guess++) sign('shop', `guess ${guess}`, '2001:db8::1')
    expect(sign('shop', undefined, '2001:db8::2')).toBe('Throttled')
    expect(sign('ops', undefined, '2001:db8::1')).toBe('ops')
    expect(sign('shop', undefined, '2001:db8:0:1::1')).toBe('shop')
  })

  it('with unknown keys from one network share one limit, which does not affect known keys', () => {
    const { access, sign } = opened()
    for (let guess = 0; guess < 30; guess++) expect(sign(`unknown-${guess}`)).toBe('UnrecognizedClient')
    expect(sign('unknown')).toBe('Throttled')
    expect(access.bearer('Bearer unknown.secret', '192.0.2.1')).toBe('throttled')
    expect(access.failures.delay('192.0.2.1')).toBeGreaterThan(0)
    expect(sign('shop')).toBe('shop')
  })

  it('cannot exceed the limit, even when many requests arrive together', () => {
    const { claim, body } = opened()
    const claims = Array.from({ length: 100 }, (_, guess) => claim('shop', `guess ${guess}`))
    const problems = claims.map(claimed => {
      const found = 'verify' in claimed ? claimed.verify(body) : claimed
      return 'problem' in found ? found.problem : found.name
    })
    expect(problems.filter(problem => problem === 'InvalidSignature')).toHaveLength(30)
    expect(problems.filter(problem => problem === 'Throttled')).toHaveLength(70)
  })

  it('do not include a correct signature that has expired', async () => {
    const { clock, claim, sign, body } = opened()
    const old = claim('shop')
    await clock.advance(16 * 60_000)
    for (let replay = 0; replay < 40; replay++) if ('verify' in old) old.verify(body)
    expect(sign('shop')).toBe('shop')
  })

  it('include each wrong bearer token, which counts against the key that it names', () => {
    const { access } = opened()
    const right = 'Bearer shop-token.secret-of-shop'
    for (let guess = 0; guess < 30; guess++)
      expect(access.bearer(`Bearer shop-token.guess-${guess}`, '::ffff:192.0.2.1')).toBeUndefined()
    expect(access.bearer(right, '192.0.2.1')).toBe('throttled')
    expect(access.bearer(right, '192.0.2.2')).toMatchObject({ name: 'shop' })
    expect(access.bearer('Bearer ops-token.secret-of-ops', '192.0.2.1')).toMatchObject({ name: 'ops' })
    expect(access.bearer(undefined, '192.0.2.1')).toBeUndefined()
  })
})
