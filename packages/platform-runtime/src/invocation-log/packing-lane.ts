import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { type Block, packedBlock, type RawBlock } from './packed-block.ts'

/** What comes of a block in the thread. */
export type Packed = Block | { readonly failed: string }

/** What the thread is given when it starts. */
export interface ThreadData {
  readonly port: MessagePort
  /** How many blocks it has answered. */
  readonly answered: Int32Array
}

/** Packs blocks, and hands them on in the order in which they came. */
export interface PackingLane {
  /** A block that is small is handed on before this returns, unless others are waiting. */
  readonly pack: (raw: RawBlock) => void
  /** Bytes that wait to be packed. */
  readonly waiting: number
  /** Waits until everything is handed on. */
  readonly finish: () => void
  /** Finishes, and ends the thread. */
  readonly close: () => void
}

/** Bytes of a block that is packed at once: so few that even hostile ones take little longer than a request. */
const small = 32 * 1024

/** Milliseconds that `finish` waits for one block. */
const longestWait = 30_000

/**
 * A lane that packs small blocks in the thread that asks, and others in a thread of its own, which starts with the
 * first of them.
 * @param done is given each block
 * @param lost is told why a block was lost
 */
export function packingLane(done: (block: Block) => void, lost: (why: string) => void): PackingLane {
  let thread: Thread | undefined
  const sizes: number[] = []
  let waiting = 0

  const hand = (packed: Packed) => {
    if ('failed' in packed) lost(packed.failed)
    else done(packed)
  }
  const take = (packed: Packed) => {
    waiting -= sizes.shift()!
    if (sizes.length === 0) thread?.rest()
    hand(packed)
  }
  const die = (why: string) => {
    thread = undefined
    const blocks = sizes.splice(0).length
    waiting = 0
    if (blocks > 0) lost(why)
  }
  const finish = () => {
    while (sizes.length > 0) {
      const packed = thread!.next(longestWait)
      if (packed === undefined) die('its thread does not answer')
      else take(packed)
    }
  }

  return {
    pack(raw) {
      const { byteLength } = raw.text
      if (sizes.length === 0 && byteLength <= small) return hand(packedOrNot(raw))
      thread ??= startThread(take, die)
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

/** A block, packed, or why it cannot be. */
export function packedOrNot(raw: RawBlock): Packed {
  try {
    return packedBlock(raw)
  } catch (error) {
    return { failed: (error as Error).message }
  }
}

interface Thread {
  readonly send: (raw: RawBlock) => void
  /** The next answer, for which it waits, or undefined when none comes. */
  readonly next: (milliseconds: number) => Packed | undefined
  /** There is nothing to do: a process may end. */
  readonly rest: () => void
  readonly end: () => void
}

function startThread(take: (packed: Packed) => void, die: (why: string) => void): Thread {
  const { port1: port, port2 } = new MessageChannel()
  const answered = new Int32Array(new SharedArrayBuffer(4))
  const isSource = import.meta.url.endsWith('.ts')
  const worker = new Worker(new URL(`./packing-thread.${isSource ? 'ts' : 'js'}`, import.meta.url), {
    workerData: { port: port2, answered } satisfies ThreadData,
    transferList: [port2],
    execArgv: isSource ? ['--conditions=@signalbox/source', '--disable-warning=ExperimentalWarning'] : [],
  })
  let ended = false
  const over = (why: string) => {
    if (!ended) die(why)
    ended = true
    port.close()
  }
  worker.on('error', error => over(`its thread failed: ${error.message}`))
  worker.on('exit', () => over('its thread has ended'))
  worker.unref()
  port.on('message', take)

  return {
    send(raw) {
      port.ref()
      // What is gathered next must not change it.
      const text = new Uint8Array(raw.text)
      port.postMessage({ ...raw, text }, [text.buffer])
    },
    next(milliseconds) {
      for (const deadline = Date.now() + milliseconds; ; ) {
        const before = Atomics.load(answered, 0)
        const received = receiveMessageOnPort(port)
        if (received !== undefined) return received.message as Packed
        const left = deadline - Date.now()
        if (left <= 0) return undefined
        Atomics.wait(answered, 0, before, left)
      }
    },
    rest: () => port.unref(),
    end() {
      ended = true
      port.close()
      void worker.terminate()
    },
  }
}
