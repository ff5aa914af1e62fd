import { describe, expect, it } from '@jest/globals'
import { manualClock } from '@signalbox/core/testing'
import { ok, startBalancer } from '../testing/running-balancer.ts'

describe('health checks', () => {
  it('are sent at intervals, have only a user-agent header, and report each change of health', async () => {
    let status = 200
    const events: unknown[] = []
    const notices: string[] = []
    const clock = manualClock()
    await using balancer = await startBalancer(
      event => {
        events.push(event)
        return { ...ok, statusCode: status }
      },
      { healthCheck: { path: '/health', interval: 10, healthyThreshold: 3, unhealthyThreshold: 2 } },
      { clock, onNotice: text => notices.push(text) },
    )
    await clock.advance(0)
    expect(events).toEqual([
      expect.objectContaining({
        httpMethod: 'GET',
        path: '/health',
        headers: { 'user-agent': expect.stringMatching(/^ELB-HealthChecker\//) },
        queryStringParameters: {},
      }),
    ])
    const healthy = 'shop is healthy, according to the load balancer web'
    const unhealthy = 'shop is unhealthy, according to the load balancer web'
    expect(notices).toEqual([healthy])

    status = 500
    await clock.advance(9_999)
    expect(events).toHaveLength(1)
    await clock.advance(10_001)
    expect({ asked: events.length, notices }).toEqual({ asked: 3, notices: [healthy, unhealthy] })

    status = 200
    await clock.advance(20_000)
    status = 500
    await clock.advance(10_000)
    status = 200
    await clock.advance(20_000)
    expect(notices).toEqual([healthy, unhealthy])
    await clock.advance(10_000)
    expect(notices).toEqual([healthy, unhealthy, healthy])
    expect(await balancer.platform.invocationLog.list({ last: 1 })).toMatchObject([
      { source: 'health check web', verdict: { ok: true } },
    ])

    const asked = events.length
    const stopping = balancer.platform.stop()
    await clock.advance(100_000)
    await stopping
    expect(events).toHaveLength(asked)
  })

  it('have the query of their path in the query parameters', async () => {
    const events: unknown[] = []
    const clock = manualClock()
    await using _balancer = await startBalancer(
      event => {
        events.push(event)
        return ok
      },
      { healthCheck: { path: '/health?deep=1' } },
      { clock },
    )
    await clock.advance(0)
    expect(events).toMatchObject([{ path: '/health', queryStringParameters: { deep: '1' } }])
  })

  it('refuse a path with a fragment', async () => {
    const balancer = startBalancer(() => ok, { healthCheck: { path: '/#top' } })
    await expect(balancer).rejects.toThrow('/loadBalancers/web/healthCheck/path: expected a path')
  })
})
