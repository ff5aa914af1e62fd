import { describe, expect, it } from '@jest/globals'
import { problems } from '@signalbox/codec'
import { type Drift, signalbox } from '@signalbox/core'
import fc from 'fast-check'
import { queueFamily } from './family.ts'
import { queue } from './queue.ts'
import { arbitraryQueueEvent } from './testing/arbitrary.ts'
import { fifoEvent, queueEvent, queueEventMutators } from './testing/index.ts'

const normalized = (event: unknown) => {
  const drift: Drift[] = []
  queueFamily.normalize(event, drift)
  return { event, drift }
}

describe('the queue family', () => {
  it.each([
    ['a batch', queueEvent({ bodies: ['a'] })],
    ['a batch of a FIFO queue', fifoEvent([['g', 'a']])],
    ['an empty batch', { Records: [] }],
    ['records without an eventSource', { Records: [{ messageId: 'x' }, { eventSource: null }] }],
    ['records that are not objects', { Records: [null, 7, 'text', []] }],
  ])('recognizes %s', (_what, event) => {
    expect(queueFamily.recognizes(event)).toBe(true)
  })

  it.each([
    ['records of another service', { Records: [{ eventSource: 'cloud:storage' }] }],
    ['records with the eventSource of AWS', { Records: [{ eventSource: 'aws:sqs' }] }],
    [
      'a batch in which one record is from another service',
      { Records: [...queueEvent({ bodies: ['a'] }).Records, { eventSource: 'x' }] },
    ],
    ['Records that are not an array', { Records: {} }],
    ['an object without Records', { records: [] }],
    ['null', null],
    ['a string', 'Records'],
    ['undefined', undefined],
  ])('does not recognize %s', (_what, event) => {
    expect(queueFamily.recognizes(event)).toBe(false)
  })

  it('recognizes or refuses any JSON value without throwing', () => {
    fc.assert(fc.property(fc.jsonValue(), value => typeof queueFamily.recognizes(value) === 'boolean'))
  })
})

describe('the queue family', () => {
  it('normalizes a valid event without changing it or reporting a change', () => {
    fc.assert(
      fc.property(arbitraryQueueEvent, event => {
        const before = JSON.stringify(event)
        expect(normalized(event).drift).toEqual([])
        expect(JSON.stringify(event)).toBe(before)
      }),
    )
  })

  it('turns attributes that are numbers or booleans into strings', () => {
    const { event, drift } = normalized({
      Records: [
        {},
        {
          attributes: { ApproximateReceiveCount: 2, SenderId: true, SentTimestamp: '1', 'a/b~': 1 },
          messageAttributes: {
            'size/cm': { dataType: 'Number', stringValue: 7 },
            fast: { dataType: 'String', stringValue: false },
            odd: 'text',
          },
        },
      ],
    })
    expect(event).toMatchObject({
      Records: [
        { messageAttributes: {} },
        {
          attributes: { ApproximateReceiveCount: '2', SenderId: 'true', SentTimestamp: '1', 'a/b~': '1' },
          messageAttributes: { 'size/cm': { stringValue: '7' }, fast: { stringValue: 'false' }, odd: 'text' },
        },
      ],
    })
    expect(drift).toEqual([
      { pointer: '/Records/0/messageAttributes', was: 'nothing', became: 'an empty map' },
      { pointer: '/Records/1/attributes/ApproximateReceiveCount', was: 'a number', became: 'text' },
      { pointer: '/Records/1/attributes/SenderId', was: 'a boolean', became: 'text' },
      { pointer: '/Records/1/attributes/a~1b~0', was: 'a number', became: 'text' },
      { pointer: '/Records/1/messageAttributes/size~1cm/stringValue', was: 'a number', became: 'text' },
      { pointer: '/Records/1/messageAttributes/fast/stringValue', was: 'a boolean', became: 'text' },
    ])
  })

  it('turns missing or null messageAttributes into an empty map', () => {
    const { event, drift } = normalized({ Records: [{ messageAttributes: null }] })
    expect(event).toEqual({ Records: [{ messageAttributes: {} }] })
    expect(drift).toEqual([{ pointer: '/Records/0/messageAttributes', was: 'null', became: 'an empty map' }])
  })

  it('turns an event with numeric attributes and without messageAttributes into a valid event', () => {
    const event: unknown = JSON.parse(JSON.stringify(queueEvent({ bodies: ['a'] })), (key, value) =>
      key === 'messageAttributes' ? undefined : /Count|Timestamp/.test(key) ? Number(value) : value,
    )
    expect(problems(queueFamily.event, event)).not.toEqual([])
    expect(problems(queueFamily.event, normalized(event).event)).toEqual([])
  })

  it.each([
    ['S3', { eventSource: 'aws:s3' }, 'aws:s3'],
    ['SNS', { EventSource: 'aws:sns' }, 'aws:sns'],
  ])('does not recognize an event from %s, and the hint names the service', (_service, record, name) => {
    const event = { Records: [record] }
    expect(queueFamily.recognizes(event)).toBe(false)
    expect(queueFamily.hint?.(event)).toBe(`The event is from ${name}, not from a queue.`)
  })

  it.each([
    ['the list of records of a batch', (records: unknown) => records, '{ Records: event }'],
    ['one record of a batch', ([record]: readonly unknown[]) => record, '{ Records: [event] }'],
  ])('says that an event is %s without its envelope', async (what, eventOf, call) => {
    const handler = signalbox(queue({ onMessage: () => {} }))
    const { Records } = queueEvent({ bodies: ['a', 'b'] })
    const sentence = `The event is ${what} without its envelope: call the handler with ${call}.`
    await expect(handler(eventOf(Records))).rejects.toThrow(sentence)
    const ofAws = (Records as readonly object[]).map(record => ({ ...record, eventSource: 'aws:sqs' }))
    await expect(handler(eventOf(ofAws))).rejects.toThrow(sentence)
    await expect(handler([])).rejects.toThrow(
      'The event is a list, expected an object. This handler serves queue.',
    )
  })

  it('returns no hint for an event from an unknown service', () => {
    for (const event of [null, { Records: [null, { eventSource: 7 }] }, { Records: [{ eventSource: 'x' }] }])
      expect(queueFamily.hint?.(event)).toBeUndefined()
  })

  it('repairs only missing or null messageAttributes and attributes of the wrong type', () => {
    for (const { name, mutate } of queueEventMutators) {
      const event = normalized(mutate(queueEvent({ bodies: ['a'] }))).event
      const mended = problems(queueFamily.event, event).length === 0
      expect({ name, mended }).toEqual({
        name,
        mended: /messageAttributes$/.test(name) || name === 'messageAttributes that is null',
      })
    }
  })

  it('normalizes any JSON value without throwing, whether or not it reports its changes', () => {
    const almost = fc.record(
      {
        Records: fc.array(
          fc.oneof(
            fc.jsonValue(),
            fc.record({ attributes: fc.jsonValue(), messageAttributes: fc.jsonValue() }),
          ),
        ),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), almost), value => {
        queueFamily.normalize(structuredClone(value))
        queueFamily.normalize(value, [])
      }),
    )
  })

  it('does not pollute prototypes, even if the event has hostile keys', () => {
    const event: unknown = JSON.parse(
      '{"__proto__":{"x":1},"Records":[{"__proto__":{"x":1},"attributes":{"__proto__":7,"constructor":{"prototype":1}},' +
        '"messageAttributes":{"__proto__":{"stringValue":5},"constructor":{"stringValue":true}}}]}',
    )
    queueFamily.normalize(event)
    expect(({} as { x?: unknown }).x).toBeUndefined()
    expect(({} as { stringValue?: unknown }).stringValue).toBeUndefined()
    const [record] = (event as { Records: { attributes: object; messageAttributes: object }[] }).Records
    expect(Object.getOwnPropertyDescriptor(record!.attributes, '__proto__')?.value).toBe('7')
    expect(Object.getOwnPropertyDescriptor(record!.messageAttributes, '__proto__')?.value).toEqual({
      stringValue: '5',
    })
  })
})
