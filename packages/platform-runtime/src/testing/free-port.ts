import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const given = new Set<number>()
/** Each worker of a test run has ports of its own. */
const first = 20_000 + (Number(process.env.JEST_WORKER_ID ?? 0) % 8) * 1500

/**
 * Returns a free port of this machine that stays free while nothing listens on it. Systems give ports above 32,767 to
 * clients, and to servers without a port of their own, such as those of other tests. Returns no port twice.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = randomInt(first, first + 1500)
    if (given.has(port)) continue
    given.add(port)
    const server = createServer().listen(port, '127.0.0.1')
    try {
      await once(server, 'listening')
    } catch {
      continue
    }
    server.close()
    await once(server, 'close')
    return port
  }
  throw new Error('None of 100 ports of this machine is free.')
}

/** Returns several such ports. */
export const freePorts = (count: number): Promise<readonly number[]> =>
  Promise.all(Array.from({ length: count }, () => freePort()))
