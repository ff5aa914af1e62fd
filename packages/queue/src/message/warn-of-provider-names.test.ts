import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import * as t from 'io-ts'
import { queue } from '../queue.ts'
import { queueEvent, queueRecord } from '../testing/index.ts'

const { NODE_ENV } = process.env
const warn = jest.spyOn(console, 'warn').mockImplementation(() => {})
beforeEach(() => {
  process.env.NODE_ENV = 'development'
})
afterEach(() => {
  process.env.NODE_ENV = NODE_ENV
  warn.mockClear()
})

type Fields = { readonly [name: string]: unknown } & {
  readonly attributes: { readonly [name: string]: unknown }
}

/** Runs a message handler on a record of SQS in neutral names. Returns the warnings, without the message's id. */
async function warnings(read: (record: Fields) => unknown, more: object = {}) {
  const record = queueRecord('a', { attributes: { CloudTraceHeader: 'Root=1' } })
  const event = { Records: [{ ...record, eventSourceARN: 'arn:aws:sqs:eu-west-1:1:q', ...more }] }
  const { batchItemFailures } = await signalbox(
    queue({ onMessage: message => void read(message.record as never) }),
  )(event)
  expect(batchItemFailures).toEqual([])
  return warn.mock.calls.map(([text]) => String(text).replace(/^Message [^:]+/, 'Message'))
}

describe('a message handler that reads a name of AWS', () => {
  it('causes a warning in development, which says what to write', async () => {
    const found = await warnings(record => {
      expect([record.awsRegion, record.attributes.AWSTraceHeader]).toEqual([undefined, undefined])
    })
    expect(found).toEqual([
      'Message: write cloudRegion for awsRegion in record.',
      'Message: write CloudTraceHeader for AWSTraceHeader in record.attributes.',
    ])
  })

  it('causes no warning for neutral names, copies and other queues, or in production', async () => {
    const found = await warnings(record => {
      expect(JSON.stringify(structuredClone(record.attributes))).not.toContain('AWS')
      return [record.cloudRegion, record.attributes.CloudTraceHeader]
    })
    expect(found).toEqual([])
    const { Records } = queueEvent({ bodies: ['a'] })
    expect(await warnings(record => record.eventSource === 'aws:sqs', Records[0])).toEqual([])
    process.env.NODE_ENV = 'production'
    expect(await warnings(record => [record.awsRegion, record.eventSource])).toEqual([])
  })

  it('causes no warning for a message that cannot be read, because only the package reads that record', async () => {
    const record = { ...queueRecord('two'), eventSourceARN: 'arn:aws:sqs:eu-west-1:1:q' }
    const handler = signalbox(queue({ body: fromJson(t.number), onMessage: () => {} }))
    const { batchItemFailures } = await handler({ Records: [record] })
    expect(batchItemFailures).toHaveLength(1)
    expect(warn.mock.calls).toEqual([])
  })

  it('causes one warning about the eventSource of SQS, whose value stays neutral', async () => {
    const read = (record: Fields) => {
      expect(record.eventSource === 'aws:sqs').toBe(false)
      expect({ ...record }).toMatchObject({ eventSource: 'cloud:queue' })
    }
    const once = ["The eventSource of a record is 'cloud:queue', where SQS has 'aws:sqs'."]
    expect(await warnings(read)).toEqual(once)
    expect(await warnings(read)).toEqual(once)
  })
})
