import { expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { started } from '../../testing/named-functions.ts'

const forward = [{ function: 'one' }, { function: 'two' }]
/** The values of `set-cookie`, without attributes, as a client sends them back. */
const cookieOf = (headers: { readonly 'set-cookie'?: string[] | undefined }) =>
  (headers['set-cookie'] ?? []).map(line => line.split(';')[0]).join('; ')

it('a client stays with its function, for the time of the rule', async () => {
  const clock = manualClock(Date.now())
  await using balancer = await started({ forward, sticky: 60 }, { clock })
  for (let client = 0; client < 8; client++) {
    const first = await balancer.send()
    const [name] = first.text.split(' ')
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(/^AWSALBTG=[\w-]+; Path=\/; Max-Age=60$/),
    ])
    const headers = { cookie: `a=1; ${cookieOf(first.headers)}` }
    for (let again = 0; again < 8; again++) {
      const next = await balancer.send({ headers })
      expect([next.text.split(' ')[0], next.headers['set-cookie']]).toEqual([name, undefined])
    }
    await clock.advance(60_000)
    expect((await balancer.send({ headers })).headers['set-cookie']).toHaveLength(1)
  }
})

it('weights share the clients, and a client stays with a function whose weight is now 0', async () => {
  await using balancer = await started({
    forward: [{ function: 'one', weight: 0 }, { function: 'two' }],
    sticky: 60,
  })
  for (let client = 0; client < 8; client++) expect(await balancer.says()).toBe('two')
})

it('cookies of another rule, and changed ones, count as none', async () => {
  await using balancer = await started({
    forward,
    sticky: 60,
    rules: [{ path: ['/b'], forward: [{ function: 'one' }, { function: 'three' }], sticky: 60 }],
  })
  const { headers } = await balancer.send()
  for (const cookie of [cookieOf(headers), 'AWSALBTG=forged', 'AWSALBTG='])
    expect((await balancer.send({ path: '/b', headers: { cookie } })).headers['set-cookie']).toHaveLength(1)
})

it('only forward can be sticky', async () => {
  await expect(started({ function: 'one', sticky: 60 })).rejects.toThrow(
    '/loadBalancers/web/sticky: expected nothing without forward',
  )
  await expect(started({ forward, sticky: 604_801 })).rejects.toThrow('/loadBalancers/web/sticky')
})
