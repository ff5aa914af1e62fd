import { describe, expect, it } from '@jest/globals'
import { memoryStore } from '@signalbox/core'
import { invocationContext } from '@signalbox/core/testing'
import { type BatchResponse, batchVerdict } from '@signalbox/queue/contract'
import { fifoEvent, queueEvent } from '@signalbox/queue/testing'
import { bulkHandler } from './bulk.ts'
import { carefulHandler } from './careful.ts'
import { handler } from './handler.ts'
import { scenes } from './scenes.ts'

const order = (number: string, change: object = {}) => ({
  order: number,
  country: 'DE',
  parcels: 1,
  status: 'paid',
  ...change,
})

const failedPositions = (event: ReturnType<typeof queueEvent>, response: BatchResponse) =>
  response.batchItemFailures.map(({ itemIdentifier }) =>
    event.Records.findIndex(({ messageId }) => messageId === itemIdentifier),
  )

describe('the orders handler', () => {
  it('succeeds when all orders of a batch can be shipped', async () => {
    const event = queueEvent({ bodies: [order('1'), order('2')] })
    expect(batchVerdict(JSON.stringify(await handler(event)), event).kind).toBe('success')
  })

  // #region test
  it('returns an unreadable order to the queue, and ships the others', async () => {
    const event = queueEvent({ bodies: [order('1'), order('2', { parcels: 'two' }), order('3')] })
    const payload = JSON.stringify(await handler(event))
    expect(batchVerdict(payload, event)).toMatchObject({
      kind: 'partial',
      failed: [event.Records[1]!.messageId],
    })
  })
  // #endregion test

  it('reports no failure for a cancelled order', async () => {
    const event = queueEvent({ bodies: [order('1', { status: 'cancelled' })] })
    expect(await handler(event)).toEqual({ batchItemFailures: [] })
  })

  it('returns a failed order to the queue together with later orders of its customer, to keep their sequence', async () => {
    const event = fifoEvent([
      ['ann', order('1', { parcels: null })],
      ['ben', order('2')],
      ['ann', order('3')],
    ])
    expect(failedPositions(event, await handler(event))).toEqual([0, 2])
  })

  it('responds in time even when the carrier does not respond', async () => {
    const event = queueEvent({ bodies: [order('1', { country: 'AQ' }), order('2')] })
    const context = invocationContext({ timeout: 300 })
    const response = await handler(event, context)
    expect(context.getRemainingTimeInMillis!()).toBeGreaterThan(0)
    expect(failedPositions(event, response)).toEqual([0])
  })
})

describe('the careful orders handler', () => {
  it('ships an order only once even when its message is delivered twice, and logs failed orders', async () => {
    const lines: string[] = []
    const careful = carefulHandler(memoryStore(), line => lines.push(line))
    const event = queueEvent({ bodies: [order('1'), 'not an order'] })
    expect(failedPositions(event, await careful(event))).toEqual([1])
    expect(failedPositions(event, await careful(event))).toEqual([1])
    expect(lines).toEqual([expect.stringContaining('attempt 1: '), expect.stringContaining('attempt 1: ')])
  })
})

describe('the bulk orders handler', () => {
  it('returns orders to the queue if the warehouse refuses them', async () => {
    const rows: unknown[] = []
    const bulk = bulkHandler({
      async insert(orders) {
        rows.push(...orders)
        return { refused: [1] }
      },
    })
    const event = queueEvent({ bodies: [order('1'), 'not an order', order('2'), order('3')] })
    expect(failedPositions(event, await bulk(event))).toEqual([1, 2])
    expect(rows).toEqual([order('1'), order('2'), order('3')])
  })
})

describe('the orders demo', () => {
  it.each(scenes)(
    'shows the expected verdict for the scene "$happens"',
    async ({ event, handler, conclude, expected }) => {
      expect(conclude(JSON.stringify(await handler(event)), event)).toBe(expected)
    },
  )
})
