// A thread that masks and packs blocks, so that the one that serves need not.
import { workerData } from 'node:worker_threads'
import { packedBlock, type RawBlock } from './packed-block.ts'
import type { Packed, ThreadData } from './packing-lane.ts'

const { port, answered } = workerData as ThreadData

port.on('message', (raw: RawBlock) => {
  port.postMessage(answerTo(raw))
  // Wakes the other thread if that can do nothing but wait.
  Atomics.add(answered, 0, 1)
  Atomics.notify(answered, 0)
})

function answerTo(raw: RawBlock): Packed {
  try {
    return packedBlock(raw)
  } catch (error) {
    return { failed: (error as Error).message }
  }
}
