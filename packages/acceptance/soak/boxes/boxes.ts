import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type DatabaseProxy, databaseProxy } from '@signalbox/platform-postgres/testing/database-proxy'
import { type SpawnedBoxes, spawnBoxes } from '../spawned-boxes.ts'

/** The addresses of a box. */
interface BoxUrls {
  readonly queues: string
  readonly mail: string
  readonly pools: string
}

/** The running boxes. Each of them reaches the database server through its own proxy. */
export interface Boxes extends Omit<SpawnedBoxes<BoxUrls>, 'any'> {
  /** Waits until at least one box is running, and returns the addresses of that box. */
  readonly any: () => Promise<BoxUrls>
  readonly proxies: readonly DatabaseProxy[]
}

/**
 * Starts boxes for queues, mails and user pools.
 * @param killed is called whenever a box is killed
 */
export async function startBoxes(
  count: number,
  folder: string,
  serverUrl: string,
  random: () => number,
  killed: (box: number) => void,
): Promise<Boxes> {
  const proxies = await Promise.all(Array.from({ length: count }, () => databaseProxy(serverUrl)))
  const boxes = await spawnBoxes<BoxUrls>({
    ...{ count, folder, random, killed },
    project: fileURLToPath(new URL('./platform', import.meta.url)),
    environment: box => ({
      SIGNALBOX_POSTGRES_URL: proxies[box]!.url,
      SIGNALBOX_USER_POOL_KEY: Buffer.alloc(32, 7).toString('base64'),
    }),
    urlsOf: async at => ({
      queues: await at('queues'),
      mail: await at('mail'),
      pools: await at('user pools'),
    }),
  })
  return {
    ...boxes,
    proxies,
    async any() {
      for (;;) {
        const chosen = boxes.any()
        if (chosen !== undefined) return chosen
        await delay(20)
      }
    },
    async killAll() {
      await boxes.killAll()
      await Promise.all(proxies.map(proxy => proxy.close()))
    },
  }
}
