import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { frameBytes } from './instance/frame.ts'
import { descriptors } from './instance/instance-message.ts'
import type { Failure } from './invoker.ts'
import { testInvoker } from './testing/process-test-invoker.ts'

interface Act {
  readonly do: string
  readonly expected?: Failure['kind']
  readonly limit?: number
  readonly [field: string]: unknown
}

const bytes = (text: string) => Buffer.from(text).toString('base64')
const short: readonly Act[] = [{ do: 'answer' }, { do: 'nothing' }]
const others: readonly Act[] = [
  { do: 'wait', ms: 60 },
  { do: 'throw', expected: 'threw' },
  { do: 'garbage', expected: 'threw' },
  { do: 'loop', expected: 'timeout', limit: 200 },
  { do: 'hang', expected: 'timeout', limit: 200 },
  { do: 'exit', expected: 'crash' },
  { do: 'kill', expected: 'crash' },
  { do: 'reject', expected: 'crash' },
  { do: 'hostile late error', ms: 30 },
  { do: 'hostile write', descriptor: descriptors.lifeline, bytes: bytes('started 1\n') },
]

/** Events that write to the channel. */
const attacks: readonly Act[] = [
  {
    do: 'hostile write',
    descriptor: descriptors.messages,
    bytes: bytes('garbage, garbage'),
    expected: 'crash',
  },
  {
    do: 'hostile write',
    descriptor: descriptors.messages,
    bytes: frameBytes('result', 1, 'x'.repeat(10_000)).subarray(0, 40).toString('base64'),
    expected: 'timeout',
    limit: 200,
  },
]
const mixed = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...short) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  ),
  { minLength: 20, maxLength: 30 },
)
const acts = fc
  .tuple(mixed, fc.option(fc.constantFrom(...attacks)), mixed)
  .map(([before, attack, after]) => [...before, ...(attack === null ? [] : [attack]), ...after])

/**
 * Sends many events at once to two instances. Among them are events that never end, end the process, or break its
 * channel. Checks that each event begins exactly once, that an instance has one event at a time, and that no event fails
 * for another one.
 */
export async function fuzz(runs: number, seed: number): Promise<string> {
  using folder = temporaryFolder()
  await using shop = testInvoker({
    module: new URL('./testing/functions/recorded.ts', import.meta.url).href,
    instances: 2,
    timeout: 20_000,
    wait: 60_000,
  })
  let events = 0
  for (const [round, list] of fc.sample(acts, { numRuns: Math.ceil(runs / 50), seed }).entries()) {
    const file = join(folder.path, `events-${round}`)
    const about = `round ${round} of seed ${seed}`
    await Promise.all(
      list.map(async ({ expected, limit, ...act }, id) => {
        const { failure, payload } = await shop.invoke({ ...act, id, file }, limit)
        const what = `${about}, event ${id}, ${act.do}: ${JSON.stringify(failure)}`
        if (failure?.kind !== expected) throw new Error(what)
        if (act.do === 'answer' && !failure && JSON.parse(payload).event.id !== id)
          throw new Error(`${what} ${payload}`)
      }),
    )
    checkRecord(readFileSync(file, 'utf8'), list.length, about)
    events += list.length
  }
  return `${events} events`
}

/** Checks that each event began exactly once, and no event began before the last one of its process had ended. */
function checkRecord(record: string, events: number, about: string): void {
  const begun = new Map<string, number>()
  const running = new Map<string, string>()
  for (const line of record.trimEnd().split('\n')) {
    const [process = '', what, id = ''] = line.split(' ')
    const other = running.get(process)
    if (what === 'ends') running.delete(process)
    else if (other !== undefined) throw new Error(`${about}: event ${id} began during event ${other}`)
    else {
      running.set(process, id)
      begun.set(id, (begun.get(id) ?? 0) + 1)
    }
  }
  for (let id = 0; id < events; id++) {
    const times = begun.get(String(id)) ?? 0
    if (times !== 1) throw new Error(`${about}: event ${id} began ${times} times`)
  }
}
