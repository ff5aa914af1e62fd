import { expect, it } from '@jest/globals'
import { createPlatform } from '../testing/balancer-program.ts'

const refusal = (balancer: object) => {
  try {
    createPlatform({
      functions: { shop: { handler: () => ({}) } },
      loadBalancers: { web: { port: 0, function: 'shop', ...balancer } },
      control: { port: 0 },
    } as never)
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}

const provider = { issuer: 'https://issuer.example', clientId: 'web' }

it.each<[string, object, string]>([
  ['neither pool nor issuer', {}, '/authenticate: expected either pool or issuer, was none of them'],
  [
    'both pool and issuer',
    { ...provider, pool: 'a', client: 'b' },
    'expected either pool or issuer, was both',
  ],
  [
    'an issuer without a client id',
    { issuer: provider.issuer },
    '/authenticate/clientId: expected the id of a client',
  ],
  [
    'a client by name at an issuer',
    { ...provider, client: 'web' },
    '/authenticate/client: expected nothing beside issuer',
  ],
  [
    'a secret for a pool',
    { pool: 'a', client: 'b', clientSecret: 'c' },
    '/authenticate/clientSecret: expected nothing',
  ],
  [
    'one endpoint',
    { ...provider, tokenEndpoint: 'https://a.example/token' },
    'both authorizationEndpoint and tokenEndpoint',
  ],
  [
    'an issuer by http',
    { ...provider, issuer: 'http://a.example' },
    '/authenticate/issuer: expected an https URL',
  ],
  [
    'a scope without openid',
    { ...provider, scope: 'email openid2' },
    '/authenticate/scope: expected scopes with openid',
  ],
  ['a session without an end', { ...provider, sessionTimeout: 0 }, '/authenticate/sessionTimeout'],
  ['a session of eight days', { ...provider, sessionTimeout: 691_200 }, '/authenticate/sessionTimeout'],
  ['a cookie with a space', { ...provider, sessionCookie: 'a b' }, '/authenticate/sessionCookie'],
  [
    'another answer',
    { ...provider, onUnauthenticatedRequest: 'ask' },
    'expected authenticate, allow or deny',
  ],
  ['parameters of its own', { ...provider, parameters: { state: 'a' } }, '/authenticate/parameters'],
  [
    'a secret that is not there',
    { ...provider, clientSecret: { env: 'NOT_THERE' } },
    '/authenticate/clientSecret: expected a value in',
  ],
  ['an unknown key', { ...provider, scopes: [] }, '/authenticate/scopes'],
])('sign-in with %s is refused', (_what, authenticate, problem) => {
  expect(refusal({ authenticate })).toContain(`/loadBalancers/web${problem.startsWith('/') ? problem : ''}`)
  expect(refusal({ authenticate })).toContain(problem)
  expect(refusal({ rules: [{ path: ['/a'], function: 'shop', authenticate }] })).toContain(problem)
})

it('sign-in over http is for this machine alone', () => {
  expect(refusal({ authenticate: provider, host: '::1' })).toBe('accepted')
  expect(refusal({ authenticate: provider, host: '0.0.0.0', open: true })).toContain(
    'expected a load balancer with tls, or one that listens on this machine only, was http on 0.0.0.0',
  )
})

it('an action either signs in or validates tokens', () => {
  const validateJwt = { issuer: 'a', keys: 'https://a.example/keys' }
  expect(refusal({ authenticate: provider, validateJwt })).toContain(
    '/validateJwt: expected nothing beside authenticate',
  )
})

it.each([
  ['path', []],
  ['host', []],
  ['method', []],
  ['query', []],
  ['source', []],
  ['headers', {}],
  ['headers', { 'x-a': [] }],
])('a condition %s without values is refused', (name, value) => {
  const rule = { function: 'shop', [name]: value }
  expect(refusal({ rules: [rule] })).toContain(`/loadBalancers/web/rules/0/${name}: expected`)
  expect(refusal({ rules: [{ ...rule, method: name === 'method' ? value : ['GET'] }] })).toContain(
    `/loadBalancers/web/rules/0/${name}: expected`,
  )
})
