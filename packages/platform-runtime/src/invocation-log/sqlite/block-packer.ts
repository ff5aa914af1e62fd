import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { siblingModule } from '../../sibling-module.ts'
import { type Block, packedBlock, type RawBlock } from './packed-block.ts'

/** A packed block, or the reason why it could not be packed. */
export type PackResult = Block | { readonly failed: string }

/** The data that the thread gets when it starts. */
export interface ThreadData {
  readonly port: MessagePort
  /** The number of blocks that the thread has packed. */
  readonly answered: Int32Array
}

/** Packs blocks, and passes them on in order. */
export interface BlockPacker {
  /** Packs a small block before it returns, unless other blocks are waiting. */
  readonly pack: (raw: RawBlock) => void
  /** The size in bytes of all blocks that wait for packing. */
  readonly waiting: number
  /** Waits until every block was passed on. */
  readonly finish: () => void
  /** Waits for all blocks, and ends the thread. */
  readonly close: () => void
}

/**
 * The maximum size in bytes of a block that is packed in this thread. Even a hostile block of this size takes little
 * longer than a request.
 */
const smallBlock = 32 * 1024

/** The maximum time in milliseconds that `finish` waits for one block. */
const longestWait = 30_000

/**
 * Packs small blocks in this thread and larger blocks in another thread, which is started for the first larger block.
 * @param done is called with each packed block
 * @param lost is called with the reason when blocks are lost
 */
export function blockPacker(done: (block: Block) => void, lost: (why: string) => void): BlockPacker {
  let thread: Thread | undefined
  const sizes: number[] = []
  let waiting = 0

  const passOn = (packed: PackResult) => {
    if ('failed' in packed) lost(packed.failed)
    else done(packed)
  }
  const take = (packed: PackResult) => {
    waiting -= sizes.shift()!
    if (sizes.length === 0) thread?.unref()
    passOn(packed)
  }
  const fail = (why: string) => {
    thread = undefined
    const blocks = sizes.splice(0).length
    waiting = 0
    if (blocks > 0) lost(why)
  }
  const finish = () => {
    while (sizes.length > 0) {
      const packed = thread!.next(longestWait)
      if (packed === undefined) fail('its thread does not answer')
      else take(packed)
    }
  }

  return {
    pack(raw) {
      const { byteLength } = raw.text
      if (sizes.length === 0 && byteLength <= smallBlock) return passOn(packBlock(raw))
      thread ??= startThread(take, fail)
      waiting += byteLength
      sizes.push(byteLength)
      thread.send(raw)
    },
    get waiting() {
      return waiting
    },
    finish,
    close() {
      finish()
      thread?.end()
      thread = undefined
    },
  }
}

/** Packs a block. Never throws. */
export function packBlock(raw: RawBlock): PackResult {
  try {
    return packedBlock(raw)
  } catch (error) {
    return { failed: (error as Error).message }
  }
}

interface Thread {
  readonly send: (raw: RawBlock) => void
  /** Waits for the next result. Returns undefined when no result arrives in time. */
  readonly next: (milliseconds: number) => PackResult | undefined
  /** Lets the process end while the thread is idle. */
  readonly unref: () => void
  readonly end: () => void
}

function startThread(take: (packed: PackResult) => void, fail: (why: string) => void): Thread {
  const { port1: port, port2 } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const isSource = import.meta.url.endsWith('.ts')
  const worker = new Worker(siblingModule('packing-thread', import.meta.url), {
    workerData: { port: port2, answered } satisfies ThreadData,
    transferList: [port2],
    execArgv: isSource ? ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning'] : [],
  })
  let ended = false
  const onEnd = (why: string) => {
    if (!ended) fail(why)
    ended = true
    port.close()
  }
  worker.on('error', error => onEnd(`its thread failed: ${error.message}`))
  worker.on('exit', () => onEnd('its thread has ended'))
  worker.unref()
  port.on('message', take)

  return {
    send(raw) {
      port.ref()
      // Copies the text, because the next block uses the same buffer.
      const text = new Uint8Array(raw.text)
      port.postMessage({ ...raw, text }, [text.buffer])
    },
    next(milliseconds) {
      for (const deadline = performance.now() + milliseconds; ; ) {
        const before = Atomics.load(answered, 0)
        const received = receiveMessageOnPort(port)
        if (received !== undefined) return received.message as PackResult
        const left = deadline - performance.now()
        if (left <= 0) return undefined
        Atomics.wait(answered, 0, before, left)
      }
    },
    unref: () => port.unref(),
    end() {
      ended = true
      port.close()
      void worker.terminate()
    },
  }
}
