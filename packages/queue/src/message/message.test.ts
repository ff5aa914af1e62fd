import { createHash } from 'node:crypto'
import { describe, expect, it } from '@jest/globals'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { manualClock } from '@signalbox/core/testing'
import fc from 'fast-check'
import * as t from 'io-ts'
import * as z from 'zod'
import { InvalidMessageError, type Message, queue } from '../index.ts'
import { arbitraryQueueRecord } from '../testing/arbitrary.ts'
import { fifoEvent, fifoRecord, queueEvent, queueRecord } from '../testing/index.ts'

/** Handles one record. Returns the result of `look`, or the reason for the failure. */
async function handled<B, A>(
  record: unknown,
  look: (message: Message<B>) => A,
  options: { body?: t.Type<B, unknown, unknown>; verify?: 'md5' } = {},
): Promise<{ seen?: A; reason?: unknown }> {
  const result: { seen?: A; reason?: unknown } = {}
  await signalbox(
    queue<B>({
      ...options,
      onMessage: message => {
        result.seen = look(message as Message<B>)
      },
      onFailure: (_, reason) => {
        result.reason = reason
      },
    }),
  )({ Records: [record] })
  return result
}

const problemsOf = ({ reason }: { reason?: unknown }) => {
  expect(reason).toBeInstanceOf(InvalidMessageError)
  return (reason as InvalidMessageError).problems
}

describe('a message of a queue', () => {
  const attributes = {
    ApproximateReceiveCount: '3',
    SentTimestamp: '1545082649183',
    ApproximateFirstReceiveTimestamp: '1545082649185',
    SequenceNumber: '18849496460467696128',
    MessageGroupId: 'g',
    MessageDeduplicationId: 'd',
    CloudTraceHeader: 'Root=1-5759e988',
  }

  it('exposes the fields of its record as JavaScript values', async () => {
    const record = fifoRecord('text', { messageId: 'm', attributes })
    const { seen } = await handled(record, message => ({
      body: message.body,
      record: message.record,
      id: message.id,
      attempt: message.attempt,
      sentAt: message.sentAt,
      firstReceivedAt: message.firstReceivedAt,
      group: message.group,
      deduplicationId: message.deduplicationId,
      sequence: message.sequence,
      correlationId: message.correlationId,
      aborted: message.signal.aborted,
      remaining: message.remaining,
    }))
    expect(seen).toEqual({
      body: 'text',
      record,
      id: 'm',
      attempt: 3,
      sentAt: new Date(1545082649183),
      firstReceivedAt: new Date(1545082649185),
      group: 'g',
      deduplicationId: 'd',
      sequence: '18849496460467696128',
      correlationId: 'Root=1-5759e988',
      aborted: false,
      remaining: Number.POSITIVE_INFINITY,
    })
  })

  it('has no group, deduplication id or sequence in a standard queue', async () => {
    for (const nothing of [
      {},
      { SequenceNumber: null, MessageGroupId: null, MessageDeduplicationId: null },
    ]) {
      const record = queueRecord('text', { messageId: 'm', attributes: nothing })
      const { seen } = await handled(record, ({ group, deduplicationId, sequence, correlationId }) => [
        group,
        deduplicationId,
        sequence,
        correlationId,
      ])
      expect(seen).toEqual([undefined, undefined, undefined, 'm'])
    }
  })

  it('tells how much time remains until its signal aborts', async () => {
    const clock = manualClock()
    const seen: number[] = []
    const handler = signalbox(
      queue({ clock, reserve: 100, onMessage: ({ remaining }) => void seen.push(remaining) }),
    )
    await handler(queueEvent({ bodies: ['a'] }), { getRemainingTimeInMillis: () => 1000 })
    expect(seen).toEqual([900])
  })

  it('is handled and has readable attributes if its record is valid', async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryQueueRecord, async record => {
        const { seen, reason } = await handled(record, message => [
          message.body,
          Object.keys(message.attributes),
        ])
        expect(reason).toBeUndefined()
        expect(seen).toEqual([record.body, Object.keys(record.messageAttributes)])
      }),
      { numRuns: 200 },
    )
  })
})

describe('the body of a message', () => {
  const Order = t.type({ id: t.string, total: t.number })

  it('is the original string when no codec is given', async () => {
    for (const text of ['a%20b+c', '', ' {"id": 1} ', '\u0000'])
      expect(await handled(queueRecord(text), ({ body }) => body)).toEqual({ seen: text })
  })

  it('is decoded by the codec', async () => {
    const { seen } = await handled(queueRecord('{"id":"7","total":1}'), ({ body }) => body, {
      body: fromJson(Order),
    })
    expect(seen).toEqual({ id: '7', total: 1 })
  })

  it('is decoded by the codec even when codec.is() already accepts the string', async () => {
    const { seen } = await handled(queueRecord('"text"'), ({ body }) => body, { body: fromJson(t.string) })
    expect(seen).toBe('text')
    const any = await handled(queueRecord('{"a":1}'), ({ body }) => body, { body: fromJson(t.unknown) })
    expect(any.seen).toEqual({ a: 1 })
  })

  it('can be decoded by a custom codec that decodes strings', async () => {
    const WholeNumber = new t.Type<number, string, unknown>(
      'a whole number',
      t.number.is,
      (text, context) =>
        typeof text === 'string' && /^\d+$/.test(text) ? t.success(Number(text)) : t.failure(text, context),
      String,
    )
    const read = (text: string) => handled(queueRecord(text), ({ body }) => body, { body: WholeNumber })
    expect(await read('42')).toEqual({ seen: 42 })
    expect(problemsOf(await read('4 2'))).toMatchObject([{ pointer: '/body', expected: 'a whole number' }])
  })

  it('makes the message fail if it is not JSON, and the error has a JSON pointer', async () => {
    expect(
      problemsOf(await handled(queueRecord('{"id":'), ({ body }) => body, { body: fromJson(Order) })),
    ).toMatchObject([{ pointer: '/body' }])
  })

  it('makes the message fail if the codec refuses it, and the error has a JSON pointer', async () => {
    const result = await handled(queueRecord('{"id":"7","total":"1"}'), ({ body }) => body, {
      body: fromJson(Order),
    })
    expect(problemsOf(result)).toMatchObject([{ pointer: '/body/total', expected: 'number' }])
    expect((result.reason as Error).message).toContain(
      'Message 059f36b4-87a3-44ab-83d2-000000000000 cannot be read',
    )
    expect(result).not.toHaveProperty('seen')
  })

  it.each(['Ada', '"Ada"'])(
    'does not appear in the error when a schema refuses the whole body `%s`',
    async text => {
      const body = text === 'Ada' ? (z.object({ id: z.string() }) as never) : fromJson(Order)
      const { reason } = await handled(queueRecord(text), () => undefined, { body })
      expect(String(reason)).toMatch(/\/body: expected .*, was other text/)
      expect(String(reason)).not.toContain('Ada')
    },
  )

  it('does not appear in the error when it contains a secret', async () => {
    const Login = t.type({ password: t.number })
    const result = await handled(queueRecord('{"password":"hunter2"}'), ({ body }) => body, {
      body: fromJson(Login),
    })
    expect(problemsOf(result)).toMatchObject([{ pointer: '/body/password' }])
    expect(JSON.stringify(result.reason) + String(result.reason)).not.toContain('hunter2')
  })
})

describe('a record', () => {
  it.each([
    'receiptHandle',
    'body',
    'attributes',
    'md5OfBody',
    'eventSource',
    'eventSourceARN',
    'cloudRegion',
  ])('without %s fails alone, and onFailure can read its other fields', async field => {
    const record: Record<string, unknown> = { ...queueRecord('text', { messageId: 'm' }) }
    if (field === 'eventSource') record.eventSource = undefined
    delete record[field]
    let seen: unknown
    let reason: unknown
    const handler = signalbox(
      queue({
        onMessage: () => undefined,
        onFailure(message, why) {
          const { id, body, attempt, sentAt, firstReceivedAt, group, deduplicationId, sequence } = message
          seen = {
            id,
            body,
            attempt,
            sentAt,
            firstReceivedAt,
            group,
            deduplicationId,
            sequence,
            c: message.correlationId,
          }
          reason = why
        },
      }),
    )
    expect(await handler({ Records: [record, queueRecord('good', { messageId: 'n' })] })).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm' }],
    })
    expect(problemsOf({ reason })[0]!.pointer).toBe(`/${field}`)
    expect(seen).toMatchObject({ id: 'm', c: 'm' })
  })
})

describe('md5OfBody', () => {
  it('is not compared with the body by default', async () => {
    const record = queueRecord('text', { md5OfBody: 'wrong' })
    expect(await handled(record, () => 'handled')).toEqual({ seen: 'handled' })
  })

  it('makes the message fail when it is wrong and the option verify is "md5"', async () => {
    const record = queueRecord('text', { md5OfBody: 'wrong' })
    expect(problemsOf(await handled(record, () => 0, { verify: 'md5' }))).toMatchObject([
      { pointer: '/md5OfBody' },
    ])
  })

  it('can be the digest of the UTF-8 bytes in upper or lower case', async () => {
    const body = 'Grüße 📦'
    expect(await handled(queueRecord(body), () => 'handled', { verify: 'md5' })).toEqual({ seen: 'handled' })
    const md5OfBody = createHash('md5').update(body).digest('hex').toUpperCase()
    expect(await handled(queueRecord(body, { md5OfBody }), () => 'handled', { verify: 'md5' })).toEqual({
      seen: 'handled',
    })
  })
})

describe('message attributes', () => {
  const read = (messageAttributes: object) =>
    handled(
      queueRecord('text', { messageAttributes: messageAttributes as never }),
      ({ attributes }) => attributes,
    )

  it('are decoded by their types and keep their custom labels', async () => {
    const { seen } = await read({
      colour: { dataType: 'String', stringValue: 'red' },
      empty: { dataType: 'String', stringValue: '' },
      size: { dataType: 'Number', stringValue: '-7.5e2' },
      price: { dataType: 'Number.eur', stringValue: '12', binaryValue: null },
      photo: { dataType: 'Binary', binaryValue: 'AAEC/w==' },
      map: { dataType: 'String.svg.map', stringValue: '<svg/>' },
    })
    expect(seen).toEqual({
      colour: { type: 'String', value: 'red' },
      empty: { type: 'String', value: '' },
      size: { type: 'Number', value: -750 },
      price: { type: 'Number', label: 'eur', value: 12 },
      photo: { type: 'Binary', value: new Uint8Array([0, 1, 2, 255]) },
      map: { type: 'String', label: 'svg.map', value: '<svg/>' },
    })
  })

  it('can have the same names as properties of Object.prototype', async () => {
    const named = JSON.parse(
      '{"__proto__":{"dataType":"String","stringValue":"x"},"toString":{"dataType":"Number","stringValue":"1"}}',
    )
    const { seen } = await read(named)
    expect(Object.keys(seen!)).toEqual(['__proto__', 'toString'])
    expect(seen!.toString).toEqual({ type: 'Number', value: 1 })
    expect(({} as { type?: unknown }).type).toBeUndefined()
    expect((await read({})).seen!.constructor).toBeUndefined()
  })

  it.each([
    ['a Number without a value', { dataType: 'Number' }, '/stringValue'],
    ['a Number that is not a number', { dataType: 'Number', stringValue: 'ten' }, '/stringValue'],
    ['a Number that is blank', { dataType: 'Number', stringValue: ' ' }, '/stringValue'],
    ['a Number that is infinite', { dataType: 'Number', stringValue: 'Infinity' }, '/stringValue'],
    ['a Binary that is not base64', { dataType: 'Binary', binaryValue: 'not base64!' }, '/binaryValue'],
    ['a String without a value', { dataType: 'String', stringValue: null }, '/stringValue'],
    ['a Binary without a value', { dataType: 'Binary', stringValue: 'AAEC' }, '/binaryValue'],
    ['a type that does not exist', { dataType: 'Date', stringValue: '2026' }, '/dataType'],
  ])('make the message fail when the handler reads %s', async (_what, attribute, pointer) => {
    const result = await read({ 'a/b': attribute, good: { dataType: 'String', stringValue: '' } })
    expect(problemsOf(result)).toMatchObject([{ pointer: `/messageAttributes/a~1b${pointer}` }])
  })

  it('do not make the message fail when they are invalid but not read', async () => {
    const record = queueRecord('text', {
      messageAttributes: { size: { dataType: 'Number', stringValue: 'ten' } },
    })
    expect(await handled(record, ({ body }) => body)).toEqual({ seen: 'text' })
  })
})

describe('a FIFO message', () => {
  it('keeps every digit of its sequence number', async () => {
    const seen: (string | undefined)[] = []
    await signalbox(queue({ onMessage: ({ sequence }) => void seen.push(sequence) }))(
      fifoEvent([
        ['g', 'a'],
        ['g', 'b'],
      ]),
    )
    expect(seen).toEqual(['18849496460467696128', '18849496460467696384'])
  })
})
