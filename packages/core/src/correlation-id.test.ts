import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { correlationId } from './index.ts'

const context = { requestId: 'request' }

describe('correlationId', () => {
  it.each([
    ['contract C: invocationId of a mail', { invocationId: 'mail', messageId: 'm' }, 'mail'],
    ['contract D: x-cloud-trace-id inside headers', { headers: { 'x-cloud-trace-id': 'Root=1' } }, 'Root=1'],
    [
      'contract D: the same in multi-value headers',
      { multiValueHeaders: { 'x-cloud-trace-id': ['Root=2'] } },
      'Root=2',
    ],
    [
      'contract B: CloudTraceHeader of a record',
      { receiptHandle: 'r', messageId: 'm', attributes: { CloudTraceHeader: 'Root=3' } },
      'Root=3',
    ],
    [
      'contract B: messageId of a record without a trace',
      { receiptHandle: 'r', messageId: 'm', attributes: {} },
      'm',
    ],
    ['contract A: none, so the request id', { triggerSource: 'PreSignUp_SignUp' }, 'request'],
    ['a batch: none, so the request id', { Records: [] }, 'request'],
    ['an empty text is none', { invocationId: '', headers: { 'x-cloud-trace-id': '' } }, 'request'],
    ['no trace among many values', { multiValueHeaders: { 'x-cloud-trace-id': 'not a list' } }, 'request'],
    ['no event at all', null, 'request'],
  ])('%s', (_row, event, expected) => {
    expect(correlationId(event, context)).toBe(expected)
  })

  it('is nothing when nobody knows one', () => {
    expect(correlationId({})).toBeUndefined()
    expect(correlationId(7)).toBeUndefined()
  })

  it('never throws on any JSON, and is a text or nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        expect(['string', 'undefined']).toContain(typeof correlationId(value, {}))
      }),
    )
  })
})
