import { describe, expect, it } from '@jest/globals'
import {
  actionsMinimum,
  eventSizeLimit,
  firstRetryDelay,
  outboundRecipientsLimit,
  responseSizeLimit,
  responseTimeLimit,
  ruleTimeOutLimit,
  ruleTimeOutMinimum,
  subjectLimit,
  uniqueActionsLimit,
} from './limits.ts'

describe('Limits, Mail flow', () => {
  it('Event payload limit 128 KB, before truncation; subject limited to first 256 characters', () => {
    expect(eventSizeLimit).toBe(131_072)
    expect(subjectLimit).toBe(256)
  })
})

describe('Limits, Mail flow, synchronous', () => {
  it('Function must respond within 15 seconds; response up to 256 KB', () => {
    expect(responseTimeLimit).toBe(15_000)
    expect(responseSizeLimit).toBe(262_144)
  })

  it('at least 1 element; up to 10 unique actions per response; up to 500 recipients for outbound functions', () => {
    expect([actionsMinimum, uniqueActionsLimit, outboundRecipientsLimit]).toEqual([1, 10, 500])
  })

  it('maximum rule time-out 240 minutes; a rule time-out of 0 (the minimum)', () => {
    expect([ruleTimeOutMinimum, ruleTimeOutLimit]).toEqual([0, 240])
  })

  it('extension: a first retry comes after a minute', () => {
    expect(firstRetryDelay).toBe(60_000)
  })
})
