// Starts the platform with a user pool on disk.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform } from '@signalbox/platform'
import { report } from './report.ts'

const platform = createPlatform({
  functions: {},
  userPools: { staff: { id: 'eu-central-1_Staff01', clients: { web: { id: 'web', flows: ['password'] } } } },
  userPoolListener: { port: 0 },
  dataDir: mkdtempSync(join(tmpdir(), 'signalbox-bench-')),
})
const [address] = await platform.start()
report(address!.url)
