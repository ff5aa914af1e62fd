import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { InvalidOptionError } from './errors.ts'
import { hasValidSignature, isSigningSecret, signatureHeaders } from './event-signature.ts'

/** The example in the specification of Standard Webhooks. */
const published = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  body: '{"test": 2432232314}',
  now: 1_614_265_330_000,
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

const secret = 'a secret of both sides'
const now = 1_700_000_000_500
const body = '{"a":1}'
const headers = signatureHeaders(secret, { id: 'r-1', body, now })

it('signatureHeaders() produces the signature of the published Standard Webhooks example', () => {
  const { signature, secret: key, ...event } = published
  expect(signatureHeaders(key, event)).toEqual({
    'webhook-id': published.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
  })
})

describe('hasValidSignature()', () => {
  it('accepts every body that signatureHeaders() signed, as a string and as bytes', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter(key => !key.startsWith('whsec_')),
        fc.uuid(),
        fc.string({ unit: 'binary' }),
        (key, id, text) => {
          const signed = signatureHeaders(key, { id, body: text, now })
          const bytes = new TextEncoder().encode(text)
          const all = [text, bytes].map(each =>
            hasValidSignature({ headers: { ...signed }, body: each, secret: key, now }),
          )
          return all.every(Boolean)
        },
      ),
    )
  })

  it('ignores the case of header names, and accepts one valid signature among several', () => {
    const others = `v1a,AAAA v1,AAAA ${headers['webhook-signature']}`
    const written = {
      'Webhook-Id': 'r-1',
      'Webhook-Timestamp': headers['webhook-timestamp'],
      'WEBHOOK-SIGNATURE': others,
    }
    expect(hasValidSignature({ headers: written, body, secret, now })).toBe(true)
  })

  it('accepts both the old and the new secret while a secret is being replaced', () => {
    expect(
      hasValidSignature({ headers: { ...headers }, body, secret: ['the new secret of both', secret], now }),
    ).toBe(true)
  })

  it.each<[string, object]>([
    ['a signature made with another secret', { secret: 'another secret of both' }],
    ['a signature of another body', { body: '{"a":2}' }],
    ['a signature for another id', { headers: { ...headers, 'webhook-id': 'r-2' } }],
    ['a signature for another time', { headers: { ...headers, 'webhook-timestamp': '1700000001' } }],
    ['a time that is not a number', { headers: { ...headers, 'webhook-timestamp': 'now' } }],
    [
      'a signature of another version',
      { headers: { ...headers, 'webhook-signature': headers['webhook-signature'].replace('v1', 'v2') } },
    ],
    ['a request without a signature', { headers: {} }],
    ['a repeated header', { headers: { ...headers, 'webhook-id': ['r-1', 'r-1'] } }],
    ['a signature that is too old', { now: now + 301_000 }],
    ['a signature from the future', { now: now - 301_000 }],
    ['a signature older than the tolerance', { now: now + 11_000, tolerance: 10 }],
  ])('refuses %s', (_case, change) => {
    expect(hasValidSignature({ headers: { ...headers }, body, secret, now, ...change })).toBe(false)
  })

  it('accepts a signature whose age is exactly the tolerance', () => {
    const at = 1_700_000_000_000
    const signed = { ...signatureHeaders(secret, { id: 'r-1', body, now: at }) }
    for (const difference of [-300_000, 300_000]) {
      expect(hasValidSignature({ headers: signed, body, secret, now: at + difference })).toBe(true)
      expect(
        hasValidSignature({ headers: signed, body, secret, now: at + difference + Math.sign(difference) }),
      ).toBe(false)
    }
  })

  it('compares the time of the signature with the system time by default', () => {
    const fresh = { ...signatureHeaders(secret, { id: 'r-1', body, now: Date.now() }) }
    expect(hasValidSignature({ headers: fresh, body, secret })).toBe(true)
    expect(hasValidSignature({ headers: { ...headers }, body, secret })).toBe(false)
  })
})

const bytes = (count: number) => Buffer.alloc(count, 'secret').toString('base64')

it.each<[string, unknown]>([
  ['an empty secret', ''],
  ['a prefix without a secret', 'whsec_'],
  ['a prefix before what is not base64', 'whsec_!!!!!!!!!!!!!!!!!!!!!!!!'],
  ['a missing secret', undefined],
  ['null', null],
  ['a number', 1234567890123456],
])('signing and checking refuse %s, and the error does not show it', (_case, weak) => {
  const refused = (run: () => unknown) => {
    try {
      run()
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidOptionError)
      return (error as Error).message
    }
    throw new Error('It was accepted.')
  }
  const used = weak as string
  const expected = 'a secret of at least 16 characters, or whsec_ and 16 bytes in base64'
  const actual = typeof weak === 'string' ? 'an empty text' : weak === null ? 'null' : typeof weak
  expect(refused(() => signatureHeaders(used, { id: 'r-1', body, now }))).toBe(
    `signatureHeaders() needs ${expected}, not ${actual}.`,
  )
  for (const secret of [used, [used], ['a secret of both sides', used]])
    for (const given of [{}, { ...headers }])
      expect(refused(() => hasValidSignature({ headers: given, body, secret, now }))).toBe(
        `hasValidSignature() needs ${expected}, not ${actual}.`,
      )
  expect(isSigningSecret(weak)).toBe(false)
})

it.each([
  ['a secret of 15 characters', 'fifteen letters'],
  ['base64 with another character', `whsec_${bytes(30)}!`],
  ['15 bytes in base64', `whsec_${bytes(15)}`],
])('platforms refuse %s, and endpoints take it', (_case, weak) => {
  expect(isSigningSecret(weak)).toBe(false)
  const signed = { ...signatureHeaders(weak, { id: 'r-1', body, now }) }
  expect(hasValidSignature({ headers: signed, body, secret: weak, now })).toBe(true)
})

it('hasValidSignature() refuses an empty list of secrets', () => {
  expect(() => hasValidSignature({ headers: {}, body, secret: [], now })).toThrow('not undefined.')
})

it.each(['sixteen letters.', `whsec_${bytes(16)}`])(
  'accepts a secret of the minimum length: %s',
  shortest => {
    const signed = { ...signatureHeaders(shortest, { id: 'r-1', body, now }) }
    expect(hasValidSignature({ headers: signed, body, secret: shortest, now })).toBe(true)
  },
)
