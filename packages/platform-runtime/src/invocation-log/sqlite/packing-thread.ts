// This thread masks and packs blocks, so that the main thread has time for requests.
import { workerData } from 'node:worker_threads'
import { packBlock, type ThreadData } from './block-packer.ts'
import type { RawBlock } from './packed-block.ts'

const { port, answered } = workerData as ThreadData

port.on('message', (raw: RawBlock) => {
  port.postMessage(packBlock(raw))
  // Wakes the main thread if it is waiting in `next`.
  Atomics.add(answered, 0, 1)
  Atomics.notify(answered, 0)
})
