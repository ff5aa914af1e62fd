import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { tally } from './figures.ts'
import { listenerSoak } from './soak.ts'

it('a platform serves every honest client at every listener, despite hostile clients and misbehaving functions', async () => {
  const seed = fc.readConfigureGlobal().seed!
  // Response times are meaningless while other tests run.
  const p99Limit = Number.POSITIVE_INFINITY
  const { violations, listeners, attacks } = await listenerSoak({
    minutes: 0.3,
    share: 0.1,
    seed,
    p99Limit,
  })
  expect({ seed, violations }).toEqual({ seed, violations: [] })
  for (const name of ['load balancer', 'queues', 'mail'])
    expect(listeners.get(name)?.count).toBeGreaterThan(0)
  expect(Object.values(attacks).filter(count => count === 0)).toEqual([])
})

describe('the latency figures of a soak', () => {
  it('report the median and the 99th percentile, and count failures separately', () => {
    const { answered, failed, figures } = tally()
    for (let time = 1; time <= 200; time++) answered('web', 201 - time)
    failed('web', 'no answer')
    expect(figures().get('web')).toEqual({
      count: 200,
      p50: 100,
      p99: 198,
      slowest: 200,
      failures: ['no answer'],
    })
  })
})
