import fc from 'fast-check'
import { caseCosts } from '../../testing/case-costs.ts'
import type { Failure } from '../invoker.ts'
import { testInvoker } from '../testing/process-test-invoker.ts'
import { BrokenFrameError, frameBytes, frameKinds, frameReader } from './frame.ts'

/** The faults that a function can cause in its process, each with the result that the platform reports. */
export const faults: {
  readonly [what: string]: {
    readonly kind: Failure['kind']
    readonly message: RegExp
    /** A shorter time limit, in milliseconds. */
    readonly limit?: number
  }
} = {
  throw: { kind: 'threw', message: /^TypeError: no$/ },
  hang: { kind: 'timeout', message: /^shop timed out after 300 ms$/, limit: 300 },
  loop: { kind: 'timeout', message: /^shop timed out after 300 ms$/, limit: 300 },
  exit: { kind: 'crash', message: /^shop exited with code 3$/ },
  abort: { kind: 'crash', message: /^shop was killed by SIGABRT$/ },
  kill: { kind: 'crash', message: /^shop was killed by SIGSEGV$/ },
  disconnect: { kind: 'threw', message: /process\.disconnect is not a function/ },
  reject: { kind: 'crash', message: /^shop ended by an uncaught error: Error: nobody cares$/ },
  heap: { kind: 'crash', message: /^shop ran out of memory: 48 MB$/ },
  buffers: { kind: 'crash', message: /^shop ran out of memory: 48 MB$/ },
  garbage: { kind: 'threw', message: /cannot be written as JSON/ },
  large: { kind: 'threw', message: /longer than 6291556 bytes/ },
  chatter: { kind: 'timeout', message: /^shop timed out after 300 ms$/, limit: 300 },
}

/**
 * Causes a hundred faults in a row, and checks that each fault fails only one invocation. Also checks that one
 * instance is left afterwards, and that the platform uses no more handles and hardly more memory than before.
 */
export async function fuzz(runs: number, seed: number): Promise<string> {
  const each = Math.max(1, Math.floor(Math.min(runs, 104) / Object.keys(faults).length))
  await using shop = testInvoker({ timeout: 20_000 })
  const round = async () => {
    for (const [what, { kind, message, limit }] of Object.entries(faults)) {
      const { failure } = await shop.invoke({ do: what }, limit)
      if (failure?.kind !== kind || !message.test(failure.message))
        throw new Error(`${what}: ${JSON.stringify(failure)}`)
      const after = await shop.invoke({ do: 'answer' })
      if (after.failure) throw new Error(`after ${what}: ${JSON.stringify(after.failure)}`)
    }
  }
  await round()
  const before = used()
  for (let done = 1; done < each; done++) await round()
  await new Promise(resolve => setTimeout(resolve, 300))
  const now = used()
  if (shop.instances() !== 1) throw new Error(`${shop.instances()} instances are left`)
  if (now.handles > before.handles) throw new Error(`${now.handles} handles, and ${before.handles} before`)
  if (now.memory > before.memory + 30) throw new Error(`${now.memory} MB, and ${before.memory} MB before`)
  const reader = await fuzzReader(runs, seed)
  const frames = await fuzzChannel(Math.min(runs, 300), seed)
  return `${runs} attacks on the reader of the channel (${reader}), ${frames} on the channel, ${each * Object.keys(faults).length} faults; memory ${before.memory} → ${now.memory} MB, handles ${before.handles} → ${now.handles}`
}

/** Bytes that a function might write to the channel: whole frames, incomplete frames, and anything else. */
const attacks = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .tuple(
          fc.constantFrom(...frameKinds),
          fc.oneof(fc.nat(4), fc.nat(0xffff_ffff)),
          fc.oneof(fc.json(), fc.string(), fc.constant('"no"\n{}')),
        )
        .map(parts => frameBytes(...parts)),
      fc
        .tuple(fc.constantFrom(...frameKinds), fc.nat(3), fc.nat(20))
        .map(([kind, task, end]) => frameBytes(kind, task, 'a long text that is cut').subarray(0, end)),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map(parts => Buffer.concat(parts))

/**
 * Checks that the reader reads or refuses all input, and that no frame is longer than its limit. Returns the time and
 * memory used.
 */
async function fuzzReader(runs: number, seed: number): Promise<string> {
  const costs = caseCosts()
  const read = (bytes: Buffer) => {
    const reader = frameReader(100, ({ text }) => {
      if (Buffer.byteLength(text) > 100) throw new Error(`a frame of ${text.length} characters`)
    })
    try {
      for (let at = 0; at < bytes.length; at += 7) reader(bytes.subarray(at, at + 7))
    } catch (error) {
      if (!(error instanceof BrokenFrameError)) throw error
    }
  }
  await costs.inHalves(half =>
    fc.assert(
      fc.asyncProperty(attacks, bytes =>
        costs.hold(
          () => bytes.toString('base64'),
          () => read(bytes),
        ),
      ),
      { numRuns: Math.ceil(runs / 2), seed: seed + half },
    ),
  )
  return costs.figures()
}

/** Checks that each attack fails only its own event, if any, and that the next event is answered as usual. */
async function fuzzChannel(runs: number, seed: number): Promise<number> {
  await using shop = testInvoker({
    module: new URL('../testing/functions/hostile.ts', import.meta.url).href,
    timeout: 20_000,
  })
  const descriptors = [3, 4, 4, 4, 4, 5]
  for (const [run, bytes] of fc.sample(attacks, { numRuns: runs, seed }).entries()) {
    const attack = {
      do: 'write',
      bytes: bytes.toString('base64'),
      descriptor: descriptors[run % descriptors.length],
    }
    const about = `attack ${run} of seed ${seed}: ${JSON.stringify(attack)}`
    const { failure } = await shop.invoke({ ...attack, id: run }, 500)
    if (failure !== undefined && !['crash', 'timeout', 'threw'].includes(failure.kind))
      throw new Error(`${about}: ${JSON.stringify(failure)}`)
    const next = await shop.invoke({ do: 'echo', id: `after ${run}` }, 20_000)
    const { id } = JSON.parse(next.payload) as { readonly id: unknown }
    if (id !== `after ${run}`) throw new Error(`after ${about}: ${JSON.stringify(next)}`)
    if (shop.instances() !== 1) throw new Error(`${about}: ${shop.instances()} instances`)
  }
  return runs
}

function used(): { readonly memory: number; readonly handles: number } {
  return {
    memory: Math.round(process.memoryUsage.rss() / 1024 / 1024),
    handles: process.getActiveResourcesInfo().filter(kind => kind !== 'Timeout').length,
  }
}
