import { fromAws, toAws } from '@signalbox/aws'
import { stack } from '../contenders/stack.ts'
import { orders } from '../data/batch.ts'
import { tokenGenerationText } from '../data/token-generation.ts'
import { inTurn, sink } from '../data/turn.ts'
import type { Work } from '../harness/work.ts'

/** Events with the field names that AWS uses, as the dialect writes them. */
const triggers = Array.from({ length: 16 }, (_, user): unknown =>
  JSON.parse(JSON.stringify(toAws(JSON.parse(tokenGenerationText(4, user))))),
)
const records = 1_000
const batches = Array.from({ length: 2 }, (): unknown => JSON.parse(JSON.stringify(toAws(orders(records)))))
const answer = { batchItemFailures: [{ itemIdentifier: '00000000-0000-4000-8000-000000000050' }] }
const body = JSON.stringify({
  id: 'order-7',
  customer: 'customer-7@example.com',
  items: [1, 2, 3],
  note: 'leave it',
})
const text = body.padEnd(100)

const nextTrigger = inTurn(triggers)
const nextBatch = inTurn(batches)
const empty = stack().handler(async () => undefined)

const trigger = 'a trigger, there and back'
const batch = 'a batch of 1,000, there and back'

export const work: Work = {
  name: 'dialect',
  title: "A provider's names for the neutral ones, and back",
  unit: 'record',
  setups: [
    {
      name: trigger,
      contenders: [
        { name: 'empty middy handler', role: 'floor', run: () => empty({} as never, {} as never) },
        {
          name: 'Signalbox dialect',
          role: 'ours',
          run: () => {
            const event = nextTrigger()
            sink.value = toAws(fromAws(event) as never, event)
          },
        },
      ],
    },
    {
      name: batch,
      units: records,
      contenders: [
        {
          name: 'JSON.parse of a 100-byte body each',
          role: 'floor',
          run: () => {
            for (let i = 0; i < records; i++) sink.value = JSON.parse(text)
          },
        },
        {
          name: 'Signalbox dialect',
          role: 'ours',
          run: () => {
            const event = nextBatch()
            sink.value = fromAws(event)
            sink.value = toAws(answer as never, event)
          },
        },
      ],
    },
  ],
  ratios: [
    { setup: trigger, of: 'Signalbox dialect', to: 'empty middy handler', atMost: 0.8 },
    { setup: batch, of: 'Signalbox dialect', to: 'JSON.parse of a 100-byte body each', atMost: 0.1 },
  ],
}
