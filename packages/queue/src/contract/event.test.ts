import { describe, expect, it } from '@jest/globals'
import { problems } from '@signalbox/codec'
import fc from 'fast-check'
import { arbitraryFifoEvent, arbitraryQueueEvent, arbitraryStandardEvent } from '../testing/arbitrary.ts'
import { fifoEvent, queueEvent, queueEventMutators } from '../testing/index.ts'
import {
  eventFields,
  type Fields,
  messageAttributeFields,
  QueueEnvelope,
  QueueEvent,
  recordFields,
  systemAttributeFields,
} from './index.ts'

const withRecord = (change: object, event = queueEvent({ bodies: ['text'] })): unknown => ({
  Records: event.Records.map(record => ({ ...record, ...change })),
})
const withAttributes = (change: object): unknown =>
  withRecord({ attributes: { ...queueEvent({ bodies: [''] }).Records[0]!.attributes, ...change } })

const extensions = (fields: Fields) => Object.keys(fields).filter(key => fields[key]!.extension === true)

describe('a record of a queue event', () => {
  it('is an item of the array Records, which may be empty', () => {
    expect(Object.keys(eventFields)).toEqual(['Records'])
    expect(QueueEvent.is({ Records: [] })).toBe(true)
    expect(QueueEvent.is({})).toBe(false)
    expect(QueueEvent.is({ Records: {} })).toBe(false)
  })

  it('has the fields that the contract names, plus one additional field', () => {
    expect(Object.keys(recordFields)).toEqual([
      'messageId',
      'receiptHandle',
      'body',
      'attributes',
      'messageAttributes',
      'md5OfBody',
      'eventSource',
      'eventSourceARN',
      'cloudRegion',
      'md5OfMessageAttributes',
    ])
    expect(extensions(recordFields)).toEqual(['md5OfMessageAttributes'])
  })

  it.each(['messageId', 'receiptHandle', 'body', 'md5OfBody', 'eventSourceARN', 'cloudRegion'])(
    'has the required string %s',
    field => {
      expect(QueueEvent.is(withRecord({ [field]: 'some text' }))).toBe(true)
      for (const wrong of [undefined, null, 7, {}, []]) {
        expect(problems(QueueEvent, withRecord({ [field]: wrong }))[0]?.pointer).toBe(`/Records/0/${field}`)
      }
    },
  )

  it('has a non-empty messageId, because a response must be able to name the record', () => {
    expect(problems(QueueEvent, withRecord({ messageId: '' }))[0]?.pointer).toBe('/Records/0/messageId')
  })

  it('has the eventSource cloud:queue', () => {
    expect(QueueEvent.is(withRecord({ eventSource: 'cloud:queue' }))).toBe(true)
    for (const other of ['aws:sqs', 'cloud:topic', '', null, undefined])
      expect(QueueEvent.is(withRecord({ eventSource: other }))).toBe(false)
  })

  it('has an object named attributes', () => {
    for (const wrong of [undefined, null, [], 'text', {}])
      expect(QueueEvent.is(withRecord({ attributes: wrong }))).toBe(false)
  })

  it('has messageAttributes, each with a type and a value', () => {
    const messageAttributes = {
      colour: { dataType: 'String', stringValue: 'red' },
      size: { dataType: 'Number.int', stringValue: '7', binaryValue: null, stringListValues: [] },
      photo: { dataType: 'Binary', binaryValue: 'AAEC', binaryListValues: ['AAEC'] },
    }
    expect(QueueEvent.is(withRecord({ messageAttributes }))).toBe(true)
    expect(QueueEvent.is(withRecord({ messageAttributes: {} }))).toBe(true)
    for (const wrong of [undefined, null, [], { colour: 'red' }, { colour: {} }, { colour: null }])
      expect(QueueEvent.is(withRecord({ messageAttributes: wrong }))).toBe(false)
    expect(extensions(messageAttributeFields)).toEqual(Object.keys(messageAttributeFields))
  })

  it('can have the additional field md5OfMessageAttributes, which is a string or null', () => {
    for (const right of ['e4e68f', null, undefined])
      expect(QueueEvent.is(withRecord({ md5OfMessageAttributes: right }))).toBe(true)
    expect(QueueEvent.is(withRecord({ md5OfMessageAttributes: 7 }))).toBe(false)
  })
})

describe('attributes of a record', () => {
  it('are those that the contract names, plus one additional attribute', () => {
    expect(
      Object.entries(systemAttributeFields).map(([key, { required }]) => `${key} ${required ? 'yes' : 'no'}`),
    ).toEqual([
      'CloudTraceHeader no',
      'ApproximateReceiveCount yes',
      'SentTimestamp yes',
      'SenderId yes',
      'ApproximateFirstReceiveTimestamp yes',
      'SequenceNumber no',
      'MessageGroupId no',
      'MessageDeduplicationId no',
      'DeadLetterQueueSourceArn no',
    ])
    expect(extensions(systemAttributeFields)).toEqual(['DeadLetterQueueSourceArn'])
  })

  it.each([
    'CloudTraceHeader',
    'SequenceNumber',
    'MessageGroupId',
    'MessageDeduplicationId',
    'DeadLetterQueueSourceArn',
  ])('can include the string %s', key => {
    for (const right of ['', 'text', null, undefined])
      expect(QueueEvent.is(withAttributes({ [key]: right }))).toBe(true)
    expect(problems(QueueEvent, withAttributes({ [key]: 7 }))[0]?.pointer).toBe(
      `/Records/0/attributes/${key}`,
    )
  })

  it.each(['ApproximateReceiveCount', 'SentTimestamp', 'ApproximateFirstReceiveTimestamp'])(
    'include %s, a required string of digits',
    key => {
      for (const right of ['0', '1', '1545082649183', '007'])
        expect(QueueEvent.is(withAttributes({ [key]: right }))).toBe(true)
      for (const wrong of ['', ' 1', '-1', '1.5', '1e3', '١', 1, null, undefined])
        expect(problems(QueueEvent, withAttributes({ [key]: wrong }))[0]?.pointer).toBe(
          `/Records/0/attributes/${key}`,
        )
    },
  )

  it('include the required string SenderId', () => {
    expect(QueueEvent.is(withAttributes({ SenderId: 'AIDA:session' }))).toBe(true)
    for (const wrong of [7, null, undefined])
      expect(QueueEvent.is(withAttributes({ SenderId: wrong }))).toBe(false)
  })

  it('include FIFO attributes only for a FIFO queue', () => {
    const { attributes } = queueEvent({ bodies: [''] }).Records[0]!
    for (const key of ['SequenceNumber', 'MessageGroupId', 'MessageDeduplicationId'])
      expect(attributes).not.toHaveProperty(key)
    const [fifo] = fifoEvent([['g', '']]).Records
    expect(fifo!.attributes).toMatchObject({
      MessageGroupId: 'g',
      SequenceNumber: expect.stringMatching(/^\d{20}$/),
    })
  })

  it('can include MessageGroupId even for a standard queue', () => {
    expect(QueueEvent.is(withAttributes({ MessageGroupId: 'tenant-7' }))).toBe(true)
  })
})

describe('a queue event', () => {
  it('is valid when a fast-check arbitrary of the package generates it', () => {
    for (const events of [arbitraryQueueEvent, arbitraryStandardEvent, arbitraryFifoEvent]) {
      fc.assert(fc.property(events, event => expect(problems(QueueEvent, event)).toEqual([])))
    }
  })

  it('keeps its unknown fields when it is decoded', () => {
    const event = withRecord({ extra: { deep: [1] }, __proto__: null })
    const result = QueueEvent.decode(event)
    expect(result).toEqual({ _tag: 'Right', right: event })
  })

  it.each(queueEventMutators)('with $name breaks the contract in only one place', ({ pointer, mutate }) => {
    const found = problems(QueueEvent, mutate(queueEvent({ bodies: ['one', 'two'] })))
    expect(found.length).toBeGreaterThan(0)
    for (const problem of found) expect(problem.pointer.startsWith(pointer)).toBe(true)
  })

  it('is not changed by the testing mutators, which return a copy', () => {
    const event = queueEvent({ bodies: ['one'] })
    const before = structuredClone(event)
    for (const { mutate } of queueEventMutators) mutate(event)
    expect(event).toEqual(before)
  })
})

describe('QueueEnvelope', () => {
  it('accepts a batch whose records have ids, even when their other fields are invalid', () => {
    expect(QueueEnvelope.is({ Records: [] })).toBe(true)
    expect(QueueEnvelope.is({ Records: [{ messageId: 'x', body: 7 }] })).toBe(true)
    for (const wrong of [
      {},
      { Records: null },
      { Records: [null] },
      { Records: [{ messageId: '' }] },
      { Records: [{}] },
    ])
      expect(QueueEnvelope.is(wrong)).toBe(false)
  })
})
