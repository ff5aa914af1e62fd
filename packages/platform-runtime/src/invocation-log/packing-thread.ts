// A thread that masks and packs blocks, so that the one that serves need not.
import { workerData } from 'node:worker_threads'
import type { RawBlock } from './packed-block.ts'
import { packedOrNot, type ThreadData } from './packing-lane.ts'

const { port, answered } = workerData as ThreadData

port.on('message', (raw: RawBlock) => {
  port.postMessage(packedOrNot(raw))
  // Wakes the other thread if that can do nothing but wait.
  Atomics.add(answered, 0, 1)
  Atomics.notify(answered, 0)
})
