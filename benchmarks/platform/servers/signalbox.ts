// Starts the platform with its invocation log on disk. The arguments say where the function runs, and how many rules its load
// balancer has, of which the last one is for every request.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform } from '@signalbox/platform'
import { report } from './report.ts'
import { handler } from './shop.ts'

const inProcess = process.argv[2] === 'in-process'
const count = Number(process.argv[3] ?? 0)
const rules = Array.from({ length: count }, (_, at) => ({
  path: [at + 1 === count ? '/*' : `/area-${at}/*`],
  function: 'shop' as const,
}))
const platform = createPlatform(
  {
    functions: { shop: inProcess ? { handler } : { module: './shop.ts', instances: 2 } },
    loadBalancers: { web: { port: 0, function: 'shop', rules } },
    dataDir: mkdtempSync(join(tmpdir(), 'signalbox-bench-')),
  },
  { root: import.meta.dirname },
)
const [address] = await platform.start()
report(address!.url)
