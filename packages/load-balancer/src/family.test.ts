import { describe, expect, it } from '@jest/globals'
import type { Drift } from '@signalbox/core'
import fc from 'fast-check'
import { loadBalancerFamily } from './family.ts'
import { arbitraryHttpEvent } from './testing/arbitrary.ts'
import { httpEvent } from './testing/index.ts'

const { recognizes, normalize, event: codec } = loadBalancerFamily

describe('loadBalancerFamily', () => {
  it('recognizes an event by requestContext.elb or by a top-level targetGroupArn', () => {
    expect(recognizes(httpEvent('GET', '/'))).toBe(true)
    expect(recognizes({ requestContext: { elb: {} } })).toBe(true)
    expect(recognizes({ targetGroupArn: 'group' })).toBe(true)
    for (const other of [
      undefined,
      null,
      'elb',
      [],
      {},
      { requestContext: null },
      { requestContext: { elb: 'x' } },
      { targetGroupArn: 7 },
    ]) {
      expect(recognizes(other)).toBe(false)
    }
  })

  it.each([
    ['an API Gateway', { resourceId: 'x', apiId: 'y' }],
    ['a stage of an API Gateway', { identity: {}, stage: 'prod' }],
    ['a function URL', { http: { method: 'GET' } }],
  ])('reports that an event from %s is not from a load balancer', (_sender, requestContext) => {
    const event = { path: '/', httpMethod: 'GET', headers: {}, requestContext }
    expect(recognizes(event)).toBe(false)
    expect(loadBalancerFamily.hint?.(event)).toBe(
      'The event is from an API Gateway or a function URL, not from an Application Load Balancer: its requestContext has no elb.',
    )
  })

  it('adds missing header and query maps, and does not report them as drift from the contract', () => {
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

  it('turns single-value headers into multi-value headers when the query is multi-value', () => {
    const event: Record<string, unknown> = {
      ...httpEvent('GET', '/'),
      queryStringParameters: null,
      multiValueQueryStringParameters: { a: ['1', '2'] },
      headers: { host: 'shop.example' },
    }
    normalize(event)
    expect(event).toMatchObject({
      multiValueHeaders: { host: ['shop.example'] },
      queryStringParameters: null,
    })
    expect(codec.is(event)).toBe(true)
    for (const headers of [null, undefined]) {
      const without: Record<string, unknown> = { multiValueQueryStringParameters: {}, headers }
      normalize(without)
      expect(without).toEqual({ multiValueQueryStringParameters: {}, headers, multiValueHeaders: {} })
    }
  })

  it('moves a top-level targetGroupArn to requestContext.elb', () => {
    const { requestContext, ...rest } = httpEvent('GET', '/')
    for (const context of [{}, { requestContext: null }, { requestContext: { more: 1 } }]) {
      const event = { ...rest, ...context, targetGroupArn: requestContext.elb.targetGroupArn }
      normalize(event)
      expect(event).toMatchObject({ requestContext })
      expect(codec.is(event)).toBe(true)
    }
  })

  it('does not change a complete event', () => {
    for (const multiValue of [false, true]) {
      const event = httpEvent('GET', '/', { multiValue })
      expect(() => normalize(Object.freeze(event))).not.toThrow()
    }
  })

  it('normalizes any JSON value without throwing, and keeps valid events valid', () => {
    fc.assert(
      fc.property(arbitraryHttpEvent(), event => {
        normalize(event)
        return codec.is(event)
      }),
    )
    fc.assert(fc.property(fc.jsonValue(), value => normalize(value) === undefined))
  })
})

describe('the correlation id of a request', () => {
  it.each([
    ['the trace header in "headers"', { headers: { 'x-cloud-trace-id': 'Root=1' } }, 'Root=1'],
    [
      'the trace header in "multiValueHeaders"',
      { multiValueHeaders: { 'x-cloud-trace-id': ['Root=2'] } },
      'Root=2',
    ],
    ['undefined for an empty trace header', { headers: { 'x-cloud-trace-id': '' } }, undefined],
    [
      'undefined for a multi-value trace header that is not a list',
      { multiValueHeaders: { 'x-cloud-trace-id': 'text' } },
      undefined,
    ],
    ['undefined when the event is null', null, undefined],
  ])('is %s', (_row, event, expected) => {
    expect(loadBalancerFamily.correlationId(event)).toBe(expected)
  })
})
