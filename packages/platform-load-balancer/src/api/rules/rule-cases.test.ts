import { describe, expect, it } from '@jest/globals'
import type { LoadBalancerConfig } from '../../config/load-balancer-config.ts'
import { type Sent, started } from '../../testing/named-functions.ts'

type Rule = NonNullable<LoadBalancerConfig['rules']>[number]

/** A request, and what answers it: the name of a function, a status, or the address of a redirect. */
type Case = readonly [sent: Sent, answer: string | number]

const path = (text: string, answer: string | number): Case => [{ path: text }, answer]
const host = (text: string, answer: string | number): Case => [{ headers: { host: text } }, answer]
const method = (text: string, answer: string | number): Case => [{ method: text }, answer]
const headers = (all: NonNullable<Sent['headers']>, answer: string | number): Case => [
  { headers: { host: 'a.test', ...all } },
  answer,
]
const to = (name = 'two', more: object = {}) => ({ function: name, ...more }) as Rule
const long = 'a'.repeat(6000)

/** Rules, and requests to them. What meets no rule gets the function `one`. */
const table: readonly (readonly [what: string, rules: readonly Rule[], cases: readonly Case[]])[] = [
  [
    'a path is compared as it was sent, in its case and as a whole',
    [{ ...to(), path: ['/admin'] }],
    [
      ...[path('/admin', 'two'), path('/admin?x=/y', 'two'), path('/admin?', 'two')],
      ...['/Admin', '/admin/', '/adm', '/admins', '//admin', '/a/../admin', '/./admin'].map(each =>
        path(each, 'one'),
      ),
      ...['/%61dmin', '/admin;x=1', '/admin%3fx', '/?/admin', '/x/admin'].map(each => path(each, 'one')),
    ],
  ],
  [
    'an asterisk in a path is any number of characters, and a question mark is one',
    [{ ...to(), path: ['/img/*.gif', '/v?/*', '/*/end'] }],
    [
      ...[
        '/img/a.gif',
        '/img/.gif',
        '/img/a/b.gif',
        '/v1/',
        '/v1/a',
        '/v//x',
        '/x/y/end',
        `/${long}/end`,
      ].map(each => path(each, 'two')),
      ...['/img/a.gif/x', '/img/a.GIF', '/img/agif', '/v/', '/v12/a', '/end', '/end/x'].map(each =>
        path(each, 'one'),
      ),
    ],
  ],
  [
    'a host is compared in any case and without its port',
    [{ ...to(), host: ['shop.test', '*.shop.test', 'b?g.test'] }],
    [
      ...['shop.test', 'SHOP.test', 'shop.test:8080', 'a.shop.test', 'a.b.shop.test', 'bug.test'].map(each =>
        host(each, 'two'),
      ),
      ...['shop.test.evil', 'a-shop.test', 'evil.test', 'shop', 'bg.test', 'buug.test'].map(each =>
        host(each, 'one'),
      ),
      ...['127.0.0.1', '127.0.0.1:80', '[::1]:80', 'shop.tes', 'xshop.test'].map(each => host(each, 'one')),
      ...['shop.test@evil', 'evil/shop.test', 'shop.test, evil', 'shop.test#', 'shop test'].map(each =>
        host(each, 400),
      ),
    ],
  ],
  [
    'a method is compared exactly, and one that functions do not get is refused before',
    [{ ...to(), method: ['GET', 'PURGE'] }],
    [method('GET', 'two'), method('PURGE', 405), method('POST', 'one'), method('DELETE', 'one')],
  ],
  [
    'a header is compared in any case, with wildcards, and once is enough',
    [{ ...to(), headers: { 'User-Agent': ['*Chrome*', 'curl/?'], 'x-mode': ['new'] } }],
    [
      headers({ 'user-agent': 'a chrome b', 'X-Mode': 'NEW' }, 'two'),
      headers({ 'user-agent': 'CURL/8', 'x-mode': ['old', 'new'] }, 'two'),
      headers({ 'user-agent': 'curl/81', 'x-mode': 'new' }, 'one'),
      headers({ 'user-agent': 'Chrome' }, 'one'),
      headers({ 'x-mode': 'new' }, 'one'),
      headers({ 'user-agent': 'Chrome', 'x-mode': 'new, old' }, 'one'),
      headers({ 'user-agent': 'Chrome', 'x-mode': 'anew' }, 'one'),
    ],
  ],
  [
    'a query is compared parameter by parameter, not decoded, in any case',
    [{ ...to(), query: [{ key: 'version', value: 'v1*' }, { value: '*example*' }] }],
    [
      ...['/?version=v1', '/?VERSION=V12', '/?a=1&version=v1', '/?x=an-example', '/?version=v1=2'].map(each =>
        path(each, 'two'),
      ),
      ...['/', '/?', '/?version', '/?version=v2', '/?%76ersion=v1', '/?version=%761', '/?example=1'].map(
        each => path(each, 'one'),
      ),
      ...['/?versions=v1', '/?aversion=v1', '/?&&', '/?=', '/version=v1'].map(each => path(each, 'one')),
    ],
  ],
  [
    'a source is the address that has connected',
    [
      { ...to(), source: ['127.0.0.1/32'], path: ['/in'] },
      { ...to(), source: ['10.0.0.0/8', '2001:db8::/32'], path: ['/out'] },
    ],
    [
      path('/in', 'two'),
      [{ path: '/in', headers: { 'x-forwarded-for': '10.0.0.1' } }, 'two'],
      path('/out', 'one'),
      [{ path: '/out', headers: { 'x-forwarded-for': '10.0.0.1' } }, 'one'],
      [{ path: '/out', headers: { forwarded: 'for=10.0.0.1' } }, 'one'],
    ],
  ],
  [
    'expressions match somewhere unless they are tied to an end',
    [
      { ...to(), pathRegex: ['^/v[0-9]+/'] },
      { ...to('three'), hostRegex: ['shop\\d\\.test$'] },
    ],
    [
      ...[path('/v12/a', 'two'), path('/v/a', 'one'), path('/x/v1/', 'one'), path('/V1/', 'one')],
      ...[host('a.SHOP1.test:80', 'three'), host('shop1.test.evil', 'one'), host('shop.test', 'one')],
    ],
  ],
  [
    'all conditions of a rule have to be met',
    [{ ...to(), path: ['/a*'], method: ['GET'], host: ['x.test'], query: [{ value: '1' }] }],
    [
      [{ path: '/ab?q=1', headers: { host: 'x.test' } }, 'two'],
      [{ path: '/ab?q=1', headers: { host: 'y.test' } }, 'one'],
      [{ path: '/ab?q=1', headers: { host: 'x.test' }, method: 'POST' }, 'one'],
      [{ path: '/ab?q=2', headers: { host: 'x.test' } }, 'one'],
      [{ path: '/b?q=1', headers: { host: 'x.test' } }, 'one'],
    ],
  ],
  [
    'the first rule that is met decides, up to the hundredth',
    [
      { ...to('three'), path: ['/first'] },
      { ...to(), path: ['/f*'] },
      ...Array.from({ length: 97 }, (_, at) => ({ path: [`/n${at}`], respond: { status: 404 } }) as Rule),
      { ...to('three'), path: ['/*'], method: ['PUT'] },
    ],
    [
      ...[
        path('/first', 'three'),
        path('/f', 'two'),
        path('/n0', 404),
        path('/n96', 404),
        path('/n97', 'one'),
      ],
      [{ path: '/last', method: 'PUT' }, 'three'],
      [{ path: '/first', method: 'PUT' }, 'three'],
    ],
  ],
  [
    'responses have 2xx, 4xx and 5xx',
    [200, 204, 404, 429, 503].map(
      status => ({ path: [`/${status}`], respond: { status, body: status === 204 ? '' : 'x' } }) as Rule,
    ),
    [200, 204, 404, 429, 503].map(status => path(`/${status}`, status)),
  ],
  [
    'a redirect has the parts of the request that it does not name',
    [
      { path: ['/a/*'], redirect: { host: 'new.test' } },
      { path: ['/b/*'], redirect: { protocol: 'https', port: '443' } },
      { path: ['/c/*'], redirect: { path: '/x/#{path}', query: 'from=#{host}&#{query}', port: '81' } },
      { path: ['/d'], redirect: { protocol: 'https', host: 'www.#{host}', port: '8443', query: '' } },
    ],
    [
      [{ path: '/a/b?c=d', headers: { host: 'old.test' } }, 'http://new.test:PORT/a/b?c=d'],
      [{ path: '/b/c', headers: { host: 'old.test:1' } }, 'https://old.test/b/c'],
      [{ path: '/c/d?e', headers: { host: 'old.test' } }, 'http://old.test:81/x/c/d?from=old.test&e'],
      [{ path: '/c/#{port}', headers: { host: 'old.test' } }, 400],
      [
        { path: '/c/%23{port}', headers: { host: 'old.test' } },
        'http://old.test:81/x/c/%23{port}?from=old.test&',
      ],
      [{ path: '/d?x=1', headers: { host: 'old.test' } }, 'https://www.old.test:8443/d'],
    ],
  ],
  [
    'forwarding shares requests by weights, and none of 0 gets one',
    [
      {
        path: ['/two'],
        forward: [
          { function: 'one', weight: 0 },
          { function: 'two', weight: 999 },
        ],
      },
      {
        path: ['/none'],
        forward: [
          { function: 'one', weight: 0 },
          { function: 'two', weight: 0 },
        ],
      },
    ],
    [path('/two', 'two'), path('/none', 503)],
  ],
]

const count = table.reduce((sum, [, , cases]) => sum + cases.length, 0)

describe.each([
  ['one value of a header', false],
  ['all values of a header', true],
])('functions with %s', (_mode, multiValueHeaders) => {
  it.each(table)('%s', async (_what, rules, cases) => {
    const inMode = (rule: Rule): Rule => ({
      ...rule,
      ...(rule.function !== undefined && { multiValueHeaders }),
      ...(rule.forward !== undefined && {
        forward: rule.forward.map(each => ({ ...each, multiValueHeaders })),
      }),
    })
    await using balancer = await started({ function: 'one', multiValueHeaders, rules: rules.map(inMode) })
    for (const [sent, wanted] of cases) {
      const { status, text, location } = await balancer.send(sent)
      const [name, mode] = text.split(' ')
      const answer =
        location?.replace(`:${balancer.port}`, ':PORT') ?? (status === 200 && name !== 'x' ? name : status)
      expect([sent, answer]).toEqual([sent, wanted])
      if (typeof wanted === 'string' && location === undefined)
        expect(mode === 'multi').toBe(multiValueHeaders)
    }
  })
})

it('the table has cases for both kinds of header maps', () => {
  expect(2 * count).toBe(234)
})
