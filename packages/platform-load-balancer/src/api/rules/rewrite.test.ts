import { expect, it } from '@jest/globals'
import type { LoadBalancerConfig } from '../../config/load-balancer-config.ts'
import { started } from '../../testing/named-functions.ts'
import { echo, startBalancer } from '../../testing/running-balancer.ts'

type Rewrite = NonNullable<NonNullable<LoadBalancerConfig['rules']>[number]['rewrite']>

/** Sends a request to a rule with this rewrite. Returns what its function gets, or the status of a refusal. */
async function got(rewrite: Rewrite, path: string) {
  const rule = { path: ['/*'], function: 'shop', rewrite }
  await using balancer = await startBalancer(echo, { rules: [rule] })
  const answer = await fetch(balancer.url + path)
  if (answer.status !== 200) return answer.status
  const event = (await answer.json()) as {
    readonly path: string
    readonly queryStringParameters: object
    readonly headers: { readonly host: string }
  }
  return {
    path: event.path,
    query: event.queryStringParameters,
    host: event.headers.host.replace(new URL(balancer.url).host, 'HERE'),
  }
}

it.each<[string, Rewrite, string, Awaited<ReturnType<typeof got>>]>([
  [
    'takes a part of the path away',
    { path: { regex: '^/api/(.+)$', replace: '/$1' } },
    '/api/a%2Fb?x=1',
    { path: '/a%2Fb', query: { x: '1' }, host: 'HERE' },
  ],
  [
    'makes a query',
    { path: { regex: '^/dp/([A-Za-z0-9]+)/?$', replace: '/product?id=$1' } },
    '/dp/B09',
    { path: '/product', query: { id: 'B09' }, host: 'HERE' },
  ],
  [
    'replaces the first match alone, and knows dollars and missing groups',
    { path: { regex: 'a(b)?', replace: '[$1$$]' } },
    '/a/ab',
    { path: '/[$]/ab', query: {}, host: 'HERE' },
  ],
  [
    'leaves a path without a match',
    { path: { regex: '^/other', replace: '/' } },
    '/api?x=1',
    { path: '/api', query: { x: '1' }, host: 'HERE' },
  ],
  [
    'makes another host',
    { host: { regex: '^127\\.(.+):\\d+$', replace: 'internal-$1.example' } },
    '/a',
    { path: '/a', query: {}, host: 'internal-0.0.1.example' },
  ],
  [
    'makes another host and another path',
    { host: { regex: '.+', replace: 'shop.example' }, path: { regex: '^/', replace: '/v2/' } },
    '/a',
    { path: '/v2/a', query: {}, host: 'shop.example' },
  ],
  ['fails without a path', { path: { regex: '^/', replace: '' } }, '/a', 500],
  ['fails without a host', { host: { regex: '.+', replace: '' } }, '/a', 500],
  ['fails with a host that is none', { host: { regex: '.+', replace: 'a b' } }, '/a', 500],
])('a rewrite %s', async (_what, rewrite, path, expected) => {
  expect(await got(rewrite, path)).toEqual(expected)
})

it('the rule is chosen before it rewrites', async () => {
  await using balancer = await started({
    function: 'one',
    rules: [
      { path: ['/a'], function: 'two', rewrite: { path: { regex: '^/a$', replace: '/b' } } },
      { path: ['/b'], function: 'three' },
    ],
  })
  expect([await balancer.says({ path: '/a' }), await balancer.says({ path: '/b' })]).toEqual(['two', 'three'])
})

it('an expression that would take ages elsewhere takes none', async () => {
  const path = `/${'a'.repeat(8_000)}!`
  expect(await got({ path: { regex: '^/(a+)+$', replace: '/b' } }, path)).toMatchObject({ path })
})

it.each<[string, object, string]>([
  [
    'lookahead',
    { path: { regex: '(?=a)', replace: '' } },
    '/rewrite/path/regex: expected a regular expression of RE2',
  ],
  ['a backreference', { path: { regex: '(a)\\1', replace: '' } }, '/rewrite/path/regex'],
  ['an unfinished group', { host: { regex: '(a', replace: '' } }, '/rewrite/host/regex'],
  [
    'a group that is not there',
    { host: { regex: '(a)', replace: '$2' } },
    '/rewrite/host/replace: expected groups',
  ],
  [
    'a single dollar',
    { host: { regex: 'a', replace: '$' } },
    '/rewrite/host/replace: expected $$ for a dollar',
  ],
  ['nothing to rewrite', {}, '/rewrite: expected host, path or both'],
  ['an unknown key', { query: {} }, '/rewrite/query'],
])('the configuration refuses %s', async (_what, rewrite, problem) => {
  const rule = { path: ['/a'], function: 'one', rewrite } as never
  await expect(started({ function: 'one', rules: [rule] })).rejects.toThrow(problem)
})

it('a rule without a function cannot rewrite', async () => {
  const rule = { path: ['/a'], respond: { status: 404 }, rewrite: { path: { regex: 'a', replace: 'b' } } }
  await expect(started({ function: 'one', rules: [rule] })).rejects.toThrow(
    '/rules/0/rewrite: expected nothing without function or forward',
  )
})

it('the default action cannot rewrite', async () => {
  const rewrite = { path: { regex: 'a', replace: 'b' } }
  await expect(started({ function: 'one', rewrite } as never)).rejects.toThrow('/loadBalancers/web/rewrite')
})
