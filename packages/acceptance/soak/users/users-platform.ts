// One process of a platform: `node users-platform.ts FOLDER`. It prints the address of its user pools.
import { join } from 'node:path'
import { createPlatform } from '@signalbox/platform'
import { challenge, staffPool } from './staff-pool.ts'

const platform = createPlatform({
  functions: { challenge: { handler: challenge, timeout: 5 } },
  ...staffPool,
  dataDir: join(process.argv[2]!, 'data'),
})
const [address] = await platform.start()
process.stdout.write(`${address!.url}\n`)
