import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch'
import sqsPartialBatchFailure from '@middy/sqs-partial-batch-failure'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { queue } from '@signalbox/queue'
import { batchVerdict } from '@signalbox/queue/contract'
import { IoTsOrder, isOrder, ZodOrder } from '../contenders/orders.ts'
import { IoTsRecord, isRecord, type WireRecord, ZodRecord } from '../contenders/queue-record.ts'
import { type Handler, stack } from '../contenders/stack.ts'
import { batchOf, oddRecords, orders } from '../data/batch.ts'
import { type Order, oddBodies, ship } from '../data/orders.ts'
import type { Contender, Role, Setup, Work } from '../harness/work.ts'

interface Batch {
  readonly Records: readonly WireRecord[]
}

const shipLater = async (order: Order) => ship(order)

function orderByHand(record: unknown): Order {
  if (!isRecord(record)) throw new Error('the record is not valid')
  const order: unknown = JSON.parse(record.body)
  if (!isOrder(order)) throw new Error('the body is not an order')
  return order
}

function batchByHand({ Records: records }: Batch): object {
  const batchItemFailures: object[] = []
  for (let i = 0; i < records.length; i++) {
    try {
      ship(orderByHand(records[i]))
    } catch {
      batchItemFailures.push({ itemIdentifier: records[i]!.messageId })
    }
  }
  return { batchItemFailures }
}

async function batchByHandLater({ Records: records }: Batch): Promise<object> {
  const batchItemFailures: object[] = []
  let next = 0
  const lane = async () => {
    while (next < records.length) {
      const record = records[next++]!
      try {
        await shipLater(orderByHand(record))
      } catch {
        batchItemFailures.push({ itemIdentifier: record.messageId })
      }
    }
  }
  await Promise.all(Array.from({ length: 10 }, lane))
  return { batchItemFailures }
}

const middyWith = (handleRecord: (record: WireRecord) => unknown) =>
  stack()
    .use(sqsPartialBatchFailure({ logger: () => undefined }))
    .handler((event: Batch) => Promise.allSettled(event.Records.map(async record => handleRecord(record))))

function orderByIoTs(record: WireRecord): Order {
  const order: unknown = JSON.parse(record.body)
  if (!IoTsOrder.is(order)) throw new Error('the body is not an order')
  return order
}

function checkedByIoTs(record: WireRecord): Order {
  if (!IoTsRecord.is(record)) throw new Error('the record is not valid')
  return orderByIoTs(record)
}

const powertoolsWith = (handleRecord: (record: WireRecord) => unknown) => {
  const processor = new BatchProcessor(EventType.SQS)
  return (async (event: never, context: never) =>
    processPartialResponse(event, handleRecord as never, processor, {
      context,
      throwOnFullBatchFailure: false,
    })) as never
}

const orderByZod = (record: WireRecord): Order => ZodOrder.parse(JSON.parse(record.body)) as Order

const ours = (onMessage: (order: Order) => unknown) =>
  signalbox(queue({ body: fromJson(IoTsOrder), onMessage: ({ body }) => onMessage(body) }))

function setup(count: number, contenders: readonly (readonly [string, Role, Handler, string?])[]): Setup {
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

/** What the platform makes of the answers: the order of the failures is nobody's business. */
async function conclusions(handler: Handler, events: readonly unknown[]): Promise<unknown> {
  const found: unknown[] = []
  for (const event of events) {
    const payload = JSON.stringify(await handler(event as never, {} as never))
    const verdict = batchVerdict(payload, event as never)
    found.push(verdict.kind === 'partial' ? [...verdict.failed].sort() : verdict.kind)
  }
  return found
}

const parseAlone: Handler = ({ Records: records }: Batch) => {
  for (let i = 0; i < records.length; i++) {
    try {
      ship(JSON.parse(records[i]!.body) as Order)
    } catch {
      // An order of nothing.
    }
  }
}

const byHand = (async (event: Batch) => batchByHand(event)) as Handler
const main = [
  ['JSON.parse alone', 'floor', parseAlone],
  ['hand-written', 'limit', byHand],
  ['Signalbox', 'ours', ours(ship) as Handler],
  ['middy + io-ts', 'peer', middyWith(record => ship(checkedByIoTs(record)))],
  [
    'Powertools batch + zod 4',
    'peer',
    powertoolsWith(record => {
      ZodRecord.parse(record)
      ship(orderByZod(record))
    }),
  ],
] as const

export const work: Work = {
  name: 'batch',
  title: 'A batch, JSON bodies parsed and validated, 1 % failing',
  unit: 'record',
  setups: [
    setup(10, main),
    setup(1_000, [
      ...main,
      ['middy + io-ts, bodies only', 'peer', middyWith(record => ship(orderByIoTs(record)))],
      ['Powertools batch + zod 4, bodies only', 'peer', powertoolsWith(record => ship(orderByZod(record)))],
    ]),
    setup(10_000, main.slice(1, 3)),
    {
      ...setup(1_000, [
        ['hand-written', 'limit', batchByHandLater as Handler],
        ['Signalbox', 'ours', ours(shipLater) as Handler],
        ['middy + io-ts', 'peer', middyWith(record => shipLater(checkedByIoTs(record)))],
        [
          'Powertools batch + zod 4',
          'peer',
          powertoolsWith(record => {
            ZodRecord.parse(record)
            return shipLater(orderByZod(record))
          }),
        ],
      ]),
      name: '1,000 records, asynchronous handler',
    },
  ],
  ratios: [
    { setup: '1,000 records', of: 'Signalbox', to: 'hand-written', atMost: 1.15 },
    { setup: '1,000 records', of: 'Signalbox', to: 'middy + io-ts', atMost: 1 },
    { setup: '1,000 records', of: 'Signalbox', to: 'Powertools batch + zod 4', atMost: 1 },
  ],
  growth: [{ of: 'Signalbox', from: '10 records', to: '10,000 records', atMost: 1.2 }],
}
