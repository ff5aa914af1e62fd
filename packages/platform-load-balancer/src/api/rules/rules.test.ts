import { describe, expect, it } from '@jest/globals'
import type { LoadBalancerConfig } from '../../config/load-balancer-config.ts'
import { type Sent, started } from '../../testing/named-functions.ts'

const two = { function: 'two' }

describe('a condition', () => {
  it.each<[string, NonNullable<LoadBalancerConfig['rules']>[number], readonly Sent[], readonly Sent[]]>([
    [
      'path',
      { path: ['/api/*', '/v?'], ...two },
      [{ path: '/api/' }, { path: '/api/a/b?x=/c' }, { path: '/v1' }],
      [{ path: '/api' }, { path: '/API/a' }, { path: '/v12' }, { path: '/a?/api/x' }, { path: '/%61pi/x' }],
    ],
    [
      'host',
      { host: ['*.shop.example', 'shop.test'], ...two },
      [{ headers: { host: 'a.SHOP.example:81' } }, { headers: { host: 'shop.test' } }],
      [{ headers: { host: 'shop.example' } }, { headers: { host: 'a.shop.example.evil.test' } }, {}],
    ],
    [
      'method',
      { method: ['PUT', 'DELETE'], ...two },
      [{ method: 'PUT' }, { method: 'DELETE' }],
      [{ method: 'GET' }, { method: 'POST' }],
    ],
    [
      'header',
      { headers: { 'X-Tenant': ['a*', 'B'] }, ...two },
      [{ headers: { 'x-tenant': 'ABC' } }, { headers: { 'x-tenant': ['z', 'b'] } }],
      [{}, { headers: { 'x-tenant': 'za' } }, { headers: { 'x-tenants': 'a' } }],
    ],
    [
      'query',
      { query: [{ key: 'mode', value: 'new*' }, { value: 'beta' }], ...two },
      [{ path: '/?mode=NEWER' }, { path: '/?a=1&x=beta' }],
      [{}, { path: '/?mode=old' }, { path: '/?beta=1' }, { path: '/?mode' }, { path: '/?amode=new' }],
    ],
    [
      'source',
      { source: ['127.0.0.0/8', '::1/128'], ...two },
      [{}, { headers: { 'x-forwarded-for': '10.0.0.1' } }],
      [],
    ],
    [
      'source that is elsewhere',
      { source: ['10.0.0.0/8'], ...two },
      [],
      [{ headers: { 'x-forwarded-for': '10.0.0.1' } }],
    ],
    [
      'path by an expression',
      { pathRegex: ['^/v[12]/(a|b)+$', 'x{2}'], ...two },
      [{ path: '/v1/abba' }, { path: '/v2/a?c' }, { path: '/axxa' }],
      [{ path: '/v3/a' }, { path: '/V1/a' }, { path: '/v1/ac' }, { path: '/%761/a' }, { path: '/?xx' }],
    ],
    [
      'host by an expression',
      { hostRegex: ['^[a-c]\\.shop\\.example$'], ...two },
      [{ headers: { host: 'B.Shop.example:81' } }],
      [{ headers: { host: 'd.shop.example' } }, { headers: { host: 'a.shop.example.evil.test' } }],
    ],
    [
      'header by an expression',
      { headersRegex: { 'X-Tenant': ['^t-\\d+$'] }, headers: { 'x-mode': ['a'] }, ...two },
      [{ headers: { 'x-tenant': ['z', 'T-42'], 'x-mode': 'a' } }],
      [{ headers: { 'x-tenant': 't-', 'x-mode': 'a' } }, { headers: { 'x-tenant': 't-1' } }],
    ],
    [
      'path that takes long to match elsewhere',
      { pathRegex: ['^/(a+)+$'], ...two },
      [{ path: `/${'a'.repeat(8000)}` }],
      [{ path: `/${'a'.repeat(8000)}!` }],
    ],
    [
      'path and method together',
      { path: ['/a'], method: ['POST'], ...two },
      [{ path: '/a', method: 'POST' }],
      [{ path: '/a' }, { path: '/b', method: 'POST' }],
    ],
  ])('about the %s', async (_what, rule, meeting, missing) => {
    await using balancer = await started({ function: 'one', rules: [rule] })
    for (const sent of meeting) expect([sent, await balancer.says(sent)]).toEqual([sent, 'two'])
    for (const sent of missing) expect([sent, await balancer.says(sent)]).toEqual([sent, 'one'])
  })
})

it('the first rule whose conditions are met decides', async () => {
  const rules = [
    { path: ['/a/b'], function: 'three' },
    { path: ['/a/*'], function: 'two' },
  ]
  await using balancer = await started({ function: 'one', rules })
  expect([
    await balancer.says({ path: '/a/b' }),
    await balancer.says({ path: '/a/c' }),
    await balancer.says(),
  ]).toEqual(['three', 'two', 'one'])
})

it('each function has its kind of header maps and its target group, also on one connection', async () => {
  const targetGroupArn = 'arn:aws:elasticloadbalancing:eu-central-1:1:targetgroup/mine/7'
  const rules = [{ path: ['/multi'], function: 'two', multiValueHeaders: true, targetGroupArn }]
  await using balancer = await started({ function: 'one', rules })
  const answers = await Promise.all(['/', '/multi', '/'].map(path => balancer.send({ path })))
  expect(answers.map(({ text }) => text)).toEqual([
    'one arn:cloud:balancer:local:000000000000:targetgroup/web/1',
    `two multi ${targetGroupArn}`,
    'one arn:cloud:balancer:local:000000000000:targetgroup/web/1',
  ])
})

it('functions share the requests by their weights', async () => {
  const forward = [
    { function: 'one', weight: 3 },
    { function: 'two', weight: 1 },
    { function: 'three', weight: 0 },
  ]
  await using balancer = await started({ forward })
  const counts = { one: 0, two: 0, three: 0 }
  for (let sent = 0; sent < 400; sent++) counts[(await balancer.says()) as 'one']++
  expect(counts.three).toBe(0)
  // With three quarters of 400, the standard deviation is below 9.
  expect(Math.abs(counts.one - 300)).toBeLessThan(60)
})

it('a response of a rule needs no function', async () => {
  const rules = [
    {
      path: ['/gone'],
      respond: { status: 410, contentType: 'application/json' as const, body: '{"gone":"ja ü"}' },
    },
    { path: ['/empty'], respond: { status: 204 } },
  ]
  await using balancer = await started({ respond: { status: 404, body: 'No such page' }, rules })
  expect(await balancer.send({ path: '/gone', method: 'POST', body: 'x'.repeat(1000) })).toMatchObject({
    status: 410,
    type: 'application/json; charset=utf-8',
    text: '{"gone":"ja ü"}',
  })
  expect(await balancer.send({ path: '/empty' })).toMatchObject({ status: 204, text: '' })
  expect(await balancer.send()).toMatchObject({
    status: 404,
    text: 'No such page',
    type: 'text/plain; charset=utf-8',
  })
})

it('a redirect keeps what it does not name', async () => {
  const rules = [
    {
      path: ['/old/*'],
      redirect: { status: 301 as const, path: '/new/#{path}', query: 'from=#{host}&#{query}' },
    },
    { host: ['www.shop.test'], redirect: { host: 'shop.test', port: '80' } },
    { path: ['/secure*'], redirect: { protocol: 'https' as const, port: '443' } },
  ]
  await using balancer = await started({ function: 'one', rules })
  const host = 'shop.test'
  const locationOf = async (sent: Sent) => {
    const { status, location } = await balancer.send(sent)
    return [status, location]
  }
  expect(await locationOf({ path: '/old/a%20b?x=1', headers: { host } })).toEqual([
    301,
    `http://shop.test:${balancer.port}/new/old/a%20b?from=shop.test&x=1`,
  ])
  expect(await locationOf({ path: '/a', headers: { host: 'www.shop.test:99' } })).toEqual([
    302,
    'http://shop.test/a',
  ])
  expect(await locationOf({ path: '/secure', headers: { host } })).toEqual([302, 'https://shop.test/secure'])
})

describe('a configuration', () => {
  const problemsOf = async (loadBalancer: object) => {
    try {
      await using _ = await started(loadBalancer as never)
    } catch (error) {
      return (error as Error).message
    }
    throw new Error('There are no problems.')
  }

  it.each<[string, object, string]>([
    [
      'without an action',
      {},
      '/loadBalancers/web: expected one of function, forward, respond and redirect, was none of them',
    ],
    ['with two actions', { function: 'one', respond: { status: 404 } }, 'was function and respond'],
    [
      'with a rule without conditions',
      { function: 'one', rules: [two] },
      '/loadBalancers/web/rules/0: expected a condition: one of host, path',
    ],
    [
      'with an unknown function',
      { function: 'one', rules: [{ path: ['/a'], function: 'tow' }] },
      '/loadBalancers/web/rules/0/function',
    ],
    [
      'with an unknown function among several',
      { forward: [{ function: 'tow' }] },
      '/loadBalancers/web/forward/0/function',
    ],
    [
      'with no function to forward to',
      { forward: [] },
      '/loadBalancers/web/forward: expected one to 5 functions, was 0',
    ],
    [
      'with six wildcards',
      { function: 'one', rules: [{ path: ['/*/*/*', '/*/*/*'], ...two }] },
      'expected at most 5 wildcards',
    ],
    [
      'with six values',
      { function: 'one', rules: [{ path: ['/a', '/b', '/c', '/d', '/e', '/f'], ...two }] },
      'expected at most 5 values',
    ],
    [
      'with an expression with lookaround',
      { function: 'one', rules: [{ pathRegex: ['^/(?=a)'], ...two }] },
      'rules/0/pathRegex: expected a regular expression of RE2, without lookaround',
    ],
    [
      'with patterns and expressions for one part',
      { function: 'one', rules: [{ host: ['a'], hostRegex: ['b'], ...two }] },
      'rules/0/hostRegex: expected nothing beside host',
    ],
    [
      'with six values of both kinds',
      { function: 'one', rules: [{ path: ['/a'], headersRegex: { a: ['1', '2', '3', '4', '5'] }, ...two }] },
      'expected at most 5 values',
    ],
    [
      'with a redirect to itself',
      { function: 'one', rules: [{ path: ['/a'], redirect: { status: 301 } }] },
      'rules/0/redirect: expected another protocol, host, port or path',
    ],
    [
      'with a status that is none',
      { respond: { status: 302 } },
      'respond/status: expected a status: 2xx, 4xx or 5xx',
    ],
    [
      'with a network that is none',
      { function: 'one', rules: [{ source: ['10.0.0.0/33'], ...two }] },
      'source',
    ],
    [
      'with a health check and no function',
      { respond: { status: 404 }, healthCheck: {} },
      'healthCheck: expected nothing without function',
    ],
    [
      'with 101 rules',
      { function: 'one', rules: Array(101).fill({ path: ['/a'], ...two }) },
      'rules: expected at most 100 rules, was 101',
    ],
    [
      'with a misspelt condition',
      { function: 'one', rules: [{ paths: ['/a'], ...two }] },
      'expected the name path',
    ],
  ])('%s is refused', async (_what, loadBalancer, message) => {
    expect(await problemsOf(loadBalancer)).toContain(message)
  })
})
