// One process of a platform: `node disk-platform.ts FOLDER`. It prints the addresses of its user pools and queues.
import { join } from 'node:path'
import { createPlatform } from '@signalbox/platform'
import { rootKey } from './signed-call.ts'

const platform = createPlatform(
  {
    functions: { echo: { handler: async (event: unknown) => event } },
    queues: { orders: {} },
    queueListener: { port: 0 },
    userPools: {
      staff: {
        id: 'eu-central-1_Staff01',
        clients: { web: { id: 'web', flows: ['password', 'srp', 'refresh'] } },
        triggers: { PreSignUp: 'echo' },
        // The disk stops the clients, not the limits.
        limits: { signUps: 1_000_000, signUpsPerAddress: 1_000_000, messages: 1_000_000 },
      },
    },
    userPoolListener: { port: 0 },
    access: {
      identities: {
        root: {
          keys: [{ id: rootKey.accessKeyId, secret: rootKey.secretAccessKey }],
          rights: {
            queues: { send: ['*'], receive: ['*'], administer: ['*'] },
            userPools: { administer: ['*'] },
          },
        },
        guest: { rights: { queues: { send: ['*'] } } },
      },
    },
    dataDir: join(process.argv[2]!, 'data'),
  },
  { onNotice: text => process.stderr.write(`${text}\n`) },
)
const urls = new Map((await platform.start()).map(({ source, url }) => [source, url]))
process.stdout.write(`${urls.get('user pools')} ${urls.get('queues')}\n`)
