import { fuzzQueueModel } from '@signalbox/platform-queue/testing/fuzz-queue-model'
import { postgresServer } from '../testing/postgres-server.ts'
import { queuesUnderTest } from '../testing/queues-under-test.ts'

/**
 * Compares the queues in PostgreSQL with the model. A sequence that runs against a server counts as a hundred
 * runs.
 * @throws Error with the shortest sequence whose results differ
 */
export async function fuzz(runs: number, seed: number): Promise<string> {
  const server = await postgresServer()
  const sequences = Math.ceil(runs / 100)
  let schemas = 0
  try {
    const options = () => ({ url: server.url, schema: `fuzz_${schemas++}`, connections: 4 })
    const steps = await fuzzQueueModel(() => queuesUnderTest(options()), sequences, seed)
    return `${sequences} sequences with ${steps} operations`
  } finally {
    await server.end()
  }
}
