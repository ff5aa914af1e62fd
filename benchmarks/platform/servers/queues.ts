// The platform with a queue for SQS clients, on disk. With the argument `access`, it checks the clients' signatures.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createPlatform } from '@signalbox/platform'
import { queueKey } from '../queue-key.ts'
import { report } from './report.ts'

const { accessKeyId: id, secretAccessKey: secret } = queueKey
const rights = { queues: { send: ['orders'], receive: ['orders'] } }
const platform = createPlatform({
  functions: {},
  queues: { orders: {} },
  queueListener: { port: 0 },
  ...(process.argv[2] === 'access' && {
    access: { identities: { shop: { keys: [{ id, secret }], rights } } },
  }),
  dataDir: mkdtempSync(join(tmpdir(), 'signalbox-bench-')),
})
const [address] = await platform.start()
report(address!.url)
