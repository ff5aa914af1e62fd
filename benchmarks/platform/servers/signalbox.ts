// Starts the platform with its invocation log on disk. The argument says where the function runs.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform } from '@signalbox/platform'
import { report } from './report.ts'
import { handler } from './shop.ts'

const inProcess = process.argv[2] === 'in-process'
const platform = createPlatform(
  {
    functions: { shop: inProcess ? { handler } : { module: './shop.ts', instances: 2 } },
    loadBalancers: { web: { port: 0, function: 'shop' } },
    dataDir: mkdtempSync(join(tmpdir(), 'signalbox-bench-')),
  },
  { root: import.meta.dirname },
)
const [address] = await platform.start()
report(address!.url)
