import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import sqsPartialBatchFailure from '@middy/sqs-partial-batch-failure'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { queue } from '@signalbox/queue'
import { batchVerdict } from '@signalbox/queue/contract'
import { batchOf, oddRecords, orders } from '../data/batch.ts'
import { type Order, oddBodies, ship } from '../data/orders.ts'
import type { Contender, Role, Setup } from '../harness/work.ts'
import { isOrder } from './order/by-hand.ts'
import { IoTsOrder } from './order/io-ts.ts'
import { ZodOrder } from './order/zod.ts'
import { isRecord, type WireRecord } from './queue-record/by-hand.ts'
import { IoTsRecord } from './queue-record/io-ts.ts'
import { ZodRecord } from './queue-record/zod.ts'
import { type Handler, stack } from './stack.ts'

interface Batch {
  readonly Records: readonly WireRecord[]
}

/** Ships an order asynchronously. Contenders with asynchronous handlers use this function. */
export const shipLater = async (order: Order) => ship(order)

function orderByHand(record: unknown): Order {
  if (!isRecord(record)) throw new Error('the record is not valid')
  const order: unknown = JSON.parse(record.body)
  if (!isOrder(order)) throw new Error('the body is not an order')
  return order
}

/** Processes a batch by hand, with a handler that returns no promise. No framework can be faster. */
export const batchByHand = (async ({ Records: records }: Batch) => {
  const batchItemFailures: object[] = []
  for (let i = 0; i < records.length; i++) {
    try {
      ship(orderByHand(records[i]))
    } catch {
      batchItemFailures.push({ itemIdentifier: records[i]!.messageId })
    }
  }
  return { batchItemFailures }
}) as Handler

/**
 * Processes a batch by hand, with an asynchronous handler, ten messages at a time. No contender can take less
 * time.
 */
export const batchByHandLater = (async ({ Records: records }: Batch) => {
  const batchItemFailures: object[] = []
  let next = 0
  const worker = async () => {
    while (next < records.length) {
      const record = records[next++]!
      try {
        await shipLater(orderByHand(record))
      } catch {
        batchItemFailures.push({ itemIdentifier: record.messageId })
      }
    }
  }
  await Promise.all(Array.from({ length: 10 }, worker))
  return { batchItemFailures }
}) as Handler

export const middyWith = (handleRecord: (record: WireRecord) => unknown) =>
  stack()
    .use(sqsPartialBatchFailure({ logger: () => undefined }))
    .handler((event: Batch) => Promise.allSettled(event.Records.map(async record => handleRecord(record))))

export function orderByIoTs(record: WireRecord): Order {
  const order: unknown = JSON.parse(record.body)
  if (!IoTsOrder.is(order)) throw new Error('the body is not an order')
  return order
}

export function checkedByIoTs(record: WireRecord): Order {
  if (!IoTsRecord.is(record)) throw new Error('the record is not valid')
  return orderByIoTs(record)
}

export const powertoolsWith = (handleRecord: (record: WireRecord) => unknown) => {
  const processor = new BatchProcessor(EventType.SQS)
  return (async (event: never, context: never) =>
    processPartialResponse(event, handleRecord as never, processor, {
      context,
      throwOnFullBatchFailure: false,
    })) as never
}

export const orderByZod = (record: WireRecord): Order => ZodOrder.parse(JSON.parse(record.body)) as Order

export function checkedByZod(record: WireRecord): Order {
  ZodRecord.parse(record)
  return orderByZod(record)
}

export const ours = (onMessage: (order: Order) => unknown) =>
  // Logging is off, because the other contenders do not log failed messages.
  signalbox(
    queue({ body: fromJson(IoTsOrder), log: false, onMessage: ({ body }) => onMessage(body) }),
  ) as Handler

export function setup(
  count: number,
  contenders: readonly (readonly [string, Role, Handler, string?])[],
): Setup {
  const event = orders(count)
  const context = {}
  return {
    name: `${count.toLocaleString('en')} records`,
    units: count,
    contenders: contenders.map(
      ([name, role, handler, differs]): Contender => ({
        name,
        role,
        run: () => handler(event as never, context as never),
        answers: () => conclusions(handler, [event, batchOf(oddBodies), oddRecords()]),
        ...(differs === undefined ? {} : { differs }),
      }),
    ),
  }
}

/**
 * Returns the platform's verdicts on a handler's answers. Failed messages are sorted, because their order
 * does not matter.
 */
async function conclusions(handler: Handler, events: readonly unknown[]): Promise<unknown> {
  const found: unknown[] = []
  for (const event of events) {
    const payload = JSON.stringify(await handler(event as never, {} as never))
    const verdict = batchVerdict(payload, event as never)
    found.push(verdict.kind === 'partial' ? [...verdict.failed].sort() : verdict.kind)
  }
  return found
}

/** Only parses each message and ships its order. Every contender has to do this. */
export const parseAlone: Handler = ({ Records: records }: Batch) => {
  for (let i = 0; i < records.length; i++) {
    try {
      ship(JSON.parse(records[i]!.body) as Order)
    } catch {
      // This order is empty, so it cannot be shipped.
    }
  }
}
