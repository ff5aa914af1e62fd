// One process of a platform: `node clock-platform.ts FOLDER MEANS`. It prints the addresses of its user pools and its
// queues. The clock is thrown as in throw-clock.ts.
import { join } from 'node:path'
import { createPlatform } from '@signalbox/platform'
import { clientId, key, poolId } from './clock-clients.ts'
import { followClock } from './throw-clock.ts'

const folder = process.argv[2]!
if (process.argv[3] === 'injected') followClock(folder)
const platform = createPlatform({
  queues: { orders: {}, later: {} },
  queueListener: { port: 0 },
  userPools: {
    staff: { id: poolId, clients: { web: { id: clientId, flows: ['password', 'refresh'] } } },
  },
  userPoolListener: { port: 0, issuer: 'https://pools.example' },
  access: {
    identities: {
      clerk: {
        keys: [{ id: key.accessKeyId, secret: key.secretAccessKey }],
        rights: {
          queues: { send: ['*'], receive: ['*'] },
          userPools: { administer: ['*'] },
        },
      },
    },
  },
  dataDir: join(folder, 'data'),
})
const urls = new Map((await platform.start()).map(({ source, url }) => [source, url]))
process.stdout.write(`${urls.get('user pools')} ${urls.get('queues')}\n`)
