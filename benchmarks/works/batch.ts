import {
  batchByHand,
  checkedByIoTs,
  checkedByZod,
  middyWith,
  orderByIoTs,
  orderByZod,
  ours,
  parseAlone,
  powertoolsWith,
  setup,
} from '../contenders/batch.ts'
import { ship } from '../data/orders.ts'
import type { Work } from '../harness/work.ts'

const main = [
  ['JSON.parse alone', 'floor', parseAlone],
  ['hand-written', 'limit', batchByHand],
  ['Signalbox', 'ours', ours(ship)],
  ['middy + io-ts', 'peer', middyWith(record => ship(checkedByIoTs(record)))],
  ['Powertools batch + zod 4', 'peer', powertoolsWith(record => ship(checkedByZod(record)))],
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
  ],
  ratios: [
    {
      setup: '1,000 records',
      of: 'Signalbox',
      to: 'hand-written',
      atMost: 1.2,
      otherwise:
        'Of a record by hand, three quarters is JSON.parse, and the rest is the same guards that Signalbox has. On top come the searches for __proto__ in the text, which take 24 ns of 700, and the plain steps of a batch: its source, the normalizer, the ids, the kind of queue, a message and its outcome, each in a loop of its own. No clock is read for a record here, because these invocations have no deadline.',
    },
    { setup: '1,000 records', of: 'Signalbox', to: 'middy + io-ts', atMost: 1 },
    { setup: '1,000 records', of: 'Signalbox', to: 'Powertools batch + zod 4', atMost: 1 },
  ],
  growth: [
    {
      of: 'Signalbox',
      from: '10 records',
      to: '10,000 records',
      atMost: 1.2,
      otherwise:
        'A batch of 10,000 does not fit into the processor cache. What is written by hand grows as much, by 1.1 to 1.8 from run to run and most while other programs run, so this goal measures the cache as well; and none of the ten records fails in the batch of 10, one in a hundred in the other.',
    },
  ],
}
