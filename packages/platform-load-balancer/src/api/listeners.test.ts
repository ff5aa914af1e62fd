import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from '@jest/globals'
import { certificate } from '@signalbox/platform-runtime/testing/certificate'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import { createPlatform } from '../testing/balancer-program.ts'
import { echo } from '../testing/running-balancer.ts'

const config = (web: object) =>
  ({
    functions: { shop: { handler: echo }, next: { handler: echo } },
    loadBalancers: { web: { port: 0, function: 'shop', ...web } },
    dataDir: ':memory:',
    grace: 1,
  }) as never

it('a load balancer can have further listeners with actions and rules of their own, and the same target groups', async () => {
  using folder = temporaryFolder()
  const tls = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') }
  writeFileSync(tls.cert, certificate.cert)
  writeFileSync(tls.key, certificate.key)
  const platform = createPlatform(
    config({
      listeners: [
        {
          port: 0,
          redirect: { protocol: 'https', port: '443' },
          rules: [{ path: ['/a'], function: 'shop' }],
        },
        { port: 0, tls, function: 'next' },
      ],
    }),
  )
  try {
    const [first, second, third] = await platform.start()
    expect([first, second, third].map(address => address!.source)).toEqual([
      'load balancer web',
      'load balancer web.2',
      'load balancer web.3',
    ])
    expect(third!.url).toMatch(/^https:/)
    const groupOf = async (url: string) => (await (await fetch(url)).json()).requestContext.elb.targetGroupArn
    expect(await groupOf(`${second!.url}/a`)).toBe(await groupOf(`${first!.url}/b`))
    const answer = await fetch(`${second!.url}/b`, { redirect: 'manual' })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, 'https://127.0.0.1/b'])
  } finally {
    await platform.stop()
  }
})

it.each<[string, object, string]>([
  ['without an action', { port: 0 }, '/loadBalancers/web/listeners/0: expected one of function, forward'],
  ['without a port', { function: 'shop' }, '/loadBalancers/web/listeners/0/port'],
  ['with an unknown function', { port: 0, function: 'no' }, '/loadBalancers/web/listeners/0/function'],
  [
    'with a wrong rule',
    { port: 0, function: 'shop', rules: [{ function: 'shop' }] },
    '/listeners/0/rules/0: expected a condition',
  ],
  ['with health checks', { port: 0, function: 'shop', healthCheck: {} }, '/listeners/0/healthCheck'],
  [
    'for other machines without open',
    { port: 0, function: 'shop', host: '0.0.0.0' },
    '/loadBalancers/web/listeners/0/host',
  ],
  [
    'with a certificate that is not there',
    { port: 0, function: 'shop', tls: { cert: 'no', key: 'no' } },
    '/listeners/0/tls',
  ],
  [
    'with sign-in over http for other machines',
    {
      port: 0,
      function: 'shop',
      host: '0.0.0.0',
      open: true,
      authenticate: { issuer: 'https://a.example', clientId: 'a' },
    },
    '/listeners/0/authenticate: expected a load balancer with tls',
  ],
])('a listener %s is refused', (_what, listener, problem) => {
  expect(() => createPlatform(config({ listeners: [listener] }))).toThrow(problem)
})
