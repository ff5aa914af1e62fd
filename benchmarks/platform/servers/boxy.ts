import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@signalbox/core'
import { dispatcher } from '../../../packages/platform/src/invocation/dispatch.ts'
import { inProcessInvoker } from '../../../packages/platform/src/invoker/in-process.ts'
import { openJournal } from '../../../packages/platform/src/journal/journal.ts'
import { systemRandom } from '../../../packages/platform/src/random.ts'
import { loadBalancer } from '../../../packages/platform/src/sources/load-balancer/load-balancer.ts'
import { report } from './report.ts'
import { handler } from './shop.ts'

const payload = JSON.stringify(await handler())
const mode = process.argv[2]!
const inv = inProcessInvoker({ name: 'shop', handler: handler as never, timeout: 1000, clock: systemClock })
const j = openJournal(
  new DatabaseSync('/tmp/pf/jj' + process.pid + '.sqlite'),
  { age: 1e12, size: 64e6 },
  systemClock,
)
const full = dispatcher(
  new Map([['shop', { invoker: inv, dialect: undefined }]]),
  mode === 'journal' ? j.record : () => {},
  systemClock,
  systemRandom,
)
const stub = async (order: any) => ({ verdict: order.verdict(payload, undefined) })
const fixedVerdict = {
  kind: 'answered',
  status: 200,
  reason: 'OK',
  headers: [
    ['content-type', 'application/json'],
    ['content-length', '58'],
  ],
  body: Buffer.from('x'.repeat(58)),
}
const fixed = async (order: any) => ({ verdict: fixedVerdict })
const lb = loadBalancer(
  {
    name: 'web',
    port: 0,
    host: '127.0.0.1',
    functionName: 'shop',
    multiValue: false,
    targetGroupArn: 'arn:x',
    healthCheck: undefined,
  },
  {
    dispatch: (mode === 'stub' ? stub : mode === 'fixed' ? fixed : full) as never,
    clock: systemClock,
    random: systemRandom,
    notice: () => {},
  },
)
report((await lb.start()).url)
