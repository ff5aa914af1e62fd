import {
  batchByHandLater,
  checkedByIoTs,
  checkedByZod,
  middyWith,
  ours,
  powertoolsWith,
  setup,
  shipLater,
} from '../contenders/batch.ts'
import type { Work } from '../harness/work.ts'

export const work: Work = {
  name: 'batch-later',
  title: 'The same batch, with a handler that is awaited for each record',
  unit: 'record',
  setups: [
    setup(1_000, [
      ['hand-written', 'limit', batchByHandLater],
      ['Signalbox', 'ours', ours(shipLater)],
      ['middy + io-ts', 'peer', middyWith(record => shipLater(checkedByIoTs(record)))],
      ['Powertools batch + zod 4', 'peer', powertoolsWith(record => shipLater(checkedByZod(record)))],
    ]),
  ],
}
