import { describe, expect, it } from '@jest/globals'
import { httpEvent } from '@signalbox/load-balancer/testing'
import { mailEvent } from '@signalbox/mail-flow/testing'
import { queueEvent } from '@signalbox/queue/testing'
import { preSignUpEvent } from '@signalbox/user-pool/testing'
import { triggerEvents } from '@signalbox/user-pool/testing/arbitrary'
import fc from 'fast-check'
import { families } from '../testing/whole-program.ts'
import * as check from './check-event.ts'

const checkEvent = (event: unknown) => check.checkEvent(event, families)

describe('checkEvent', () => {
  it.each([
    ['user-pool', preSignUpEvent()],
    ['queue', queueEvent({ bodies: ['a', 'b'] })],
    ['mail-flow', mailEvent()],
    ['load-balancer', httpEvent('GET', '/', { multiValue: true })],
  ])('accepts a valid %s event', (family, event) => {
    expect(checkEvent(event)).toEqual({ result: 'valid', family })
  })

  it('reports what a normalizer would correct, without changing the event', () => {
    const event = preSignUpEvent({
      userAttributes: { email: 'ada@example.com', email_verified: true as never },
    })
    const before = structuredClone(event)
    expect(checkEvent(event)).toEqual({
      result: 'normalizable',
      family: 'user-pool',
      drift: [{ pointer: '/request/userAttributes/email_verified', was: 'a boolean', became: 'a string' }],
    })
    expect(event).toEqual(before)
  })

  it('lists each problem of an invalid event once, with its JSON pointer', () => {
    const { md5OfBody: _, attributes: __, ...record } = queueEvent({ bodies: ['a'] }).Records[0]!
    const report = checkEvent({ Records: [record] })
    expect(report).toMatchObject({ result: 'invalid', family: 'queue', drift: [] })
    expect(report.result === 'invalid' && report.problems.map(problem => problem.pointer)).toEqual([
      '/Records/0/attributes',
      '/Records/0/md5OfBody',
    ])
  })

  it('names the event family that an unrecognized event resembles most', () => {
    const { Records } = queueEvent({ bodies: ['a'] })
    expect(checkEvent({ Records: [{ ...Records[0], eventSource: 'cloud:topic' }] })).toEqual({
      result: 'unknown',
      resembles: 'queue',
      found: ['Records'],
      problems: [
        { pointer: '/Records/0/eventSource', expected: "'cloud:queue'", actual: "string 'cloud:topic'" },
      ],
    })
    for (const event of [{ hello: 1 }, null, 7, 'text', []]) {
      expect(checkEvent(event)).toEqual({ result: 'unknown', found: [], problems: [] })
    }
  })

  it('says that records lack the envelope of a batch', () => {
    const { Records } = queueEvent({ bodies: ['a'] })
    expect(checkEvent(Records)).toMatchObject({
      result: 'unknown',
      advice: expect.stringContaining('is the list of records of a batch without its envelope'),
    })
  })

  it('accepts every valid user-pool trigger event', () => {
    fc.assert(
      fc.property(triggerEvents(), event => checkEvent(event).result === 'valid'),
      { numRuns: 200 },
    )
  })

  it('rejects arbitrary JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(['unknown', 'invalid']).toContain(checkEvent(value).result)
      }),
    )
  })
})
