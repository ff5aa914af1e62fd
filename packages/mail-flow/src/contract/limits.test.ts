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

describe('the limits of events', () => {
  it('allow 128 KB, and 256 characters in the subject', () => {
    expect(eventSizeLimit).toBe(131_072)
    expect(subjectLimit).toBe(256)
  })
})

describe('the limits of synchronous functions', () => {
  it('allow 15 seconds, and 256 KB for the response', () => {
    expect(responseTimeLimit).toBe(15_000)
    expect(responseSizeLimit).toBe(262_144)
  })

  it('allow 10 unique actions, and 500 recipients of outbound mail', () => {
    expect([actionsMinimum, uniqueActionsLimit, outboundRecipientsLimit]).toEqual([1, 10, 500])
  })

  it('include a rule time-out from 0 to 240 minutes', () => {
    expect([ruleTimeOutMinimum, ruleTimeOutLimit]).toEqual([0, 240])
  })

  it('include the minute before the first retry, which the contract does not state', () => {
    expect(firstRetryDelay).toBe(60_000)
  })
})
