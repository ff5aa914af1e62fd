import { describe, expect, it } from '@jest/globals'
import { fromJson } from '@signalbox/codec'
import { orderSchemas } from '@signalbox/codec/fixtures/order-schemas'
import { signalbox } from '@signalbox/core'
import * as v from 'valibot'
import { eachMessage, queue } from './index.ts'
import { queueEvent } from './testing/index.ts'

const order = { id: 'o1', lines: [{ sku: 'lamp', count: 2 }] }
const event = () =>
  queueEvent({
    bodies: [JSON.stringify(order), '{"id":7,"lines":[]}', JSON.stringify({ ...order, id: 'o3' })],
  })
const failed = { batchItemFailures: [{ itemIdentifier: event().Records[1]!.messageId }] }

describe.each(orderSchemas)('queue() with a schema from $library', ({ Order }) => {
  it('decodes each body, and reports an invalid body with a JSON pointer', async () => {
    const bodies: unknown[] = []
    const log: string[] = []
    const onMessage = ({ body }: { body: unknown }) => void bodies.push(body)
    const handler = signalbox(
      queue({ body: fromJson(Order), onMessage, log: (_, reason) => log.push(String(reason)) }),
    )
    expect(await handler(event())).toEqual(failed)
    expect(bodies).toEqual([order, { ...order, id: 'o3' }])
    expect(log.join()).toMatch(/\/body\/id: expected (a )?string, was number 7/)
  })

  it('tells the developer to add a missing fromJson()', async () => {
    const log: string[] = []
    const options = { log: (_: string, reason: unknown) => log.push(String(reason)) }
    const bodies = [order, { ...order, id: 7 }, 'text'].map(body => JSON.stringify(body))
    await eachMessage(Order, () => undefined, options)(queueEvent({ bodies }))
    const hint = /\/body: expected .*, so write body: fromJson\(/
    expect(log).toEqual([
      expect.stringMatching(hint),
      expect.stringMatching(hint),
      expect.not.stringMatching(hint),
    ])
  })
})

describe('queue() with an asynchronous schema', () => {
  const Taken = v.objectAsync({
    id: v.pipeAsync(
      v.string(),
      v.checkAsync(async id => id !== 'taken', 'must be another id'),
    ),
  })
  const body = fromJson(Taken)
  const bodies = ['{"id":"a"}', '{"id":"taken"}', '{"id":']
  const batch = queueEvent({ bodies })
  const both = {
    batchItemFailures: [batch.Records[1], batch.Records[2]].map(record => ({
      itemIdentifier: record!.messageId,
    })),
  }

  it.each(['onMessage', 'onBatch'] as const)('waits for the schema before it calls %s', async name => {
    const seen: unknown[] = []
    const log: string[] = []
    const handle = {
      onMessage: (message: { body: unknown }) => void seen.push(message.body),
      onBatch: (messages: readonly { body: unknown }[]) => void seen.push(...messages.map(each => each.body)),
    }[name]
    const options = { body, [name]: handle, log: (_: string, reason: unknown) => log.push(String(reason)) }
    expect(await signalbox(queue(options as never))(queueEvent({ bodies }))).toEqual(both)
    expect(seen).toEqual([{ id: 'a' }])
    expect(log.sort()).toEqual([
      expect.stringContaining("/body/id: expected another id, was string 'taken'"),
      expect.stringContaining('/body: expected JSON text, was text that breaks at position 6'),
    ])
  })

  it('fails a message when the schema rejects', async () => {
    const down = v.pipeAsync(
      v.string(),
      v.checkAsync(async () => {
        throw new Error('The database is down')
      }),
    )
    const log: string[] = []
    const options = {
      body: down,
      onMessage: () => undefined,
      log: (_: string, reason: unknown) => log.push(String(reason)),
    }
    expect(await signalbox(queue(options))(queueEvent({ bodies: ['a'] }))).toMatchObject({
      batchItemFailures: [{}],
    })
    expect(log).toEqual(['Error: The database is down'])
  })
})
