import { caseCosts } from '@signalbox/platform-runtime/testing/case-costs'
import { fuzzQueueModel } from '../../testing/fuzz-queue-model.ts'
import { inMemory } from '../../testing/queue-engines.ts'

/**
 * Compares SQLite queues with the model.
 * @throws Error with the shortest sequence whose results differ, or with a sequence that takes too long
 */
export async function fuzz(runs: number, seed: number): Promise<string> {
  const costs = caseCosts()
  let steps = 0
  await costs.inHalves(async half => {
    steps += await fuzzQueueModel(inMemory, Math.ceil(runs / 2), seed + half, costs.hold)
  })
  return `${runs} sequences with ${steps} operations, ${costs.figures()}`
}
