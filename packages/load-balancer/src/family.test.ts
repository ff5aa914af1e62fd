import { describe, expect, it } from '@jest/globals'
import type { Drift } from '@signalbox/core'
import fc from 'fast-check'
import { loadBalancerFamily } from './family.ts'
import { arbitraryHttpEvent, httpEvent } from './testing/index.ts'

const { recognizes, normalize, event: codec } = loadBalancerFamily

describe('loadBalancerFamily', () => {
  it('recognizes an event by requestContext.elb', () => {
    expect(recognizes(httpEvent('GET', '/'))).toBe(true)
    expect(recognizes({ requestContext: { elb: {} } })).toBe(true)
    for (const other of [
      undefined,
      null,
      'elb',
      [],
      {},
      { requestContext: null },
      { requestContext: { elb: 'x' } },
    ]) {
      expect(recognizes(other)).toBe(false)
    }
  })

  it('gives the maps of the mode to events that lack them, which is no departure', () => {
    const drift: Drift[] = []
    const healthCheck: Record<string, unknown> = {
      ...httpEvent('GET', '/health'),
      headers: { 'user-agent': 'ELB-HealthChecker/2.0' },
      queryStringParameters: null,
    }
    normalize(healthCheck, drift)
    expect(healthCheck).toMatchObject({ queryStringParameters: {} })
    const bare: Record<string, unknown> = { headers: null }
    normalize(bare, drift)
    expect(bare).toEqual({ headers: {}, queryStringParameters: {} })
    const multi: Record<string, unknown> = { multiValueHeaders: {}, headers: null }
    normalize(multi, drift)
    expect(multi).toEqual({ multiValueHeaders: {}, multiValueQueryStringParameters: {}, headers: null })
    expect(drift).toEqual([])
  })

  it('leaves an event alone that has them', () => {
    for (const multiValue of [false, true]) {
      const event = httpEvent('GET', '/', { multiValue })
      expect(() => normalize(Object.freeze(event))).not.toThrow()
    }
  })

  it('keeps valid events valid, and never throws on any JSON', () => {
    fc.assert(
      fc.property(arbitraryHttpEvent(), event => {
        normalize(event)
        return codec.is(event)
      }),
    )
    fc.assert(fc.property(fc.jsonValue(), value => normalize(value) === undefined))
  })
})
