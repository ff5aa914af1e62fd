import { setTimeout } from 'node:timers/promises'
import { processPartialResponse, SqsFifoPartialProcessorAsync } from '@aws-lambda-powertools/batch'
import { fromJson } from '@signalbox/codec'
import { signalbox } from '@signalbox/core'
import { queue } from '@signalbox/queue'
import { batchVerdict } from '@signalbox/queue/contract'
import { isOrder } from '../contenders/order/by-hand.ts'
import { IoTsOrder } from '../contenders/order/io-ts.ts'
import { ZodOrder } from '../contenders/order/zod.ts'
import { isRecord, type WireRecord } from '../contenders/queue-record/by-hand.ts'
import { ZodRecord } from '../contenders/queue-record/zod.ts'
import type { Handler } from '../contenders/stack.ts'
import { orders } from '../data/batch.ts'
import { type Order, ship } from '../data/orders.ts'
import type { Contender, Role, Work } from '../harness/work.ts'

const groups = 50
const event = orders(1_000, groups)

async function shipSlowly(order: Order): Promise<void> {
  await setTimeout(1)
  ship(order)
}

/**
 * Handles groups concurrently, and the messages of each group in order. After a failure, the remaining messages of that
 * group are also redelivered.
 */
async function byHand({ Records: records }: { readonly Records: readonly WireRecord[] }): Promise<object> {
  const groups = new Map<string, WireRecord[]>()
  const batchItemFailures: object[] = []
  for (const record of records) {
    const group = record.attributes.MessageGroupId ?? ''
    const members = groups.get(group)
    if (members) members.push(record)
    else groups.set(group, [record])
  }
  await Promise.all([...groups.values()].map(inOrder))
  return { batchItemFailures }

  async function inOrder(members: WireRecord[]): Promise<void> {
    for (const [position, record] of members.entries()) {
      try {
        if (!isRecord(record)) throw new Error('the record is not valid')
        const order: unknown = JSON.parse(record.body)
        if (!isOrder(order)) throw new Error('the body is not an order')
        await shipSlowly(order)
      } catch {
        for (const { messageId } of members.slice(position))
          batchItemFailures.push({ itemIdentifier: messageId })
        return
      }
    }
  }
}

const processor = new SqsFifoPartialProcessorAsync()
const powertools: Handler = (batch, context) =>
  processPartialResponse(
    batch,
    ((record: WireRecord) => {
      ZodRecord.parse(record)
      return shipSlowly(ZodOrder.parse(JSON.parse(record.body)) as Order)
    }) as never,
    processor,
    { context, skipGroupOnError: true, throwOnFullBatchFailure: false },
  )

const ours = signalbox(
  queue({
    body: fromJson(IoTsOrder),
    log: false,
    concurrency: groups,
    onMessage: ({ body }) => shipSlowly(body),
  }),
)

function contender(name: string, role: Role, handler: Handler): Contender {
  const answer = () => handler(event as never, {} as never)
  return { name, role, run: answer, answers: async () => concluded(await answer()) }
}

function concluded(answer: unknown): unknown {
  const verdict = batchVerdict(JSON.stringify(answer), event as never)
  return verdict.kind === 'partial' ? [...verdict.failed].sort() : verdict.kind
}

const setup = '1,000 records in 50 groups, 1 ms each'

export const work: Work = {
  name: 'fifo',
  waits: true,
  title: 'A FIFO batch, groups side by side and each in order',
  setups: [
    {
      name: setup,
      contenders: [
        contender('hand-written', 'limit', byHand as Handler),
        contender('Signalbox', 'ours', ours as Handler),
        contender('Powertools FIFO', 'peer', powertools),
      ],
    },
  ],
  ratios: [{ setup, of: 'Signalbox', to: 'hand-written', atMost: 1.2 }],
}
