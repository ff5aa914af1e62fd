import { expect, it } from '@jest/globals'
import { isSecret, secretFields } from './secret.ts'

it.each([
  'password',
  'challengeAnswer',
  'privateChallengeParameters',
  'code',
  'answer',
  'idToken',
  'tokenResponse',
  'samlResponse',
  'cookie',
  'Cookie',
  'set-cookie',
  'Set-Cookie',
  'cookies',
  'authorization',
  'AUTHORIZATION',
  'access_token',
  'accessToken',
  'id-token',
  'refresh_token',
  'client_secret',
  'X-Api-Key',
  'apiKey',
  'token',
  'secret',
  'passwd',
])('%s is a secret', name => {
  expect(isSecret(name)).toBe(true)
})

it.each(['', 'codeParameter', 'passwords', 'statusCode', 'tokens', 'keys', 'toString', '__proto__'])(
  '%p is none',
  name => {
    expect(isSecret(name)).toBe(false)
  },
)

it('lists the names in lower case', () => {
  expect(secretFields.map(name => name.toLowerCase())).toEqual(secretFields)
  expect(secretFields.every(isSecret)).toBe(true)
})
