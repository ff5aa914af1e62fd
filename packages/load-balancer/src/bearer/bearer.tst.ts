import * as t from 'io-ts'
import { describe, expect, test } from 'tstyche'
import { get, group, json } from '../index.ts'
import { bearer, type VerifiedClaims } from './index.ts'

const issuer = 'https://issuer.example'

describe('bearer', () => {
  test('has types for the claims that every token has, and gives all other claims the type unknown', () => {
    const signedIn = bearer({ issuer, audience: 'api' })
    get('/me', { guard: signedIn }, ({ claims }) => {
      expect(claims).type.toBe<VerifiedClaims>()
      expect(claims.exp).type.toBe<number>()
      expect(claims.tenant).type.toBe<unknown>()
      return json('done')
    })
  })

  test('gives the claims the type of its codec, also with scopes and in groups', () => {
    const signedIn = bearer({ issuer, audience: 'api', claims: t.type({ tenant: t.string }) })
    get('/me', { guard: signedIn.withScopes('a') }, ({ claims }) => {
      expect(claims.tenant).type.toBe<string>()
      expect(claims.iss).type.toBe<string>()
      return json('done')
    })
    group('/', [signedIn], ({ get }) => [
      get('/', ({ claims }) => {
        expect(claims.tenant).type.toBe<string>()
        return json('done')
      }),
    ])
  })

  test('does not compile without an audience, without a scope or with an unknown kind of token', () => {
    // @ts-expect-error Property 'audience' is missing
    bearer({ issuer })
    // @ts-expect-error Expected at least 1 arguments, but got 0
    bearer({ issuer, audience: 'api' }).withScopes()
    // @ts-expect-error Type '"refresh"' is not assignable to type
    bearer({ issuer, audience: 'api', token: 'refresh' })
  })
})
