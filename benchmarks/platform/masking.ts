import { maskedEntry } from '@signalbox/platform-runtime/invocation-log'
import { hostileTexts } from '@signalbox/platform-runtime/testing/hostile-texts'
import type { Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'

const rounds = 7
const size = 1_000_000
const limit = 50

/** Measures the processor time for masking an entry of the invocation log with a hostile text. */
export async function masking(): Promise<Table> {
  const rows = Object.entries(hostileTexts).map(([setup, of]) => {
    const entry = entryWith(of(size))
    return {
      setup,
      time: spread(Array.from({ length: rounds }, () => processorTime(() => maskedEntry(entry)))),
    }
  })
  const worst = rows.reduce((a, b) => (b.time.median > a.time.median ? b : a))
  return {
    name: 'masking',
    title: 'Platform: secrets are masked in hostile entries of the invocation log',
    about: 'An event with a body of 1 MB. Processor time, garbage collection included.',
    columns: [{ key: 'time', title: 'an entry of 1 MB', unit: 'ms' }],
    rows: rows.map(({ setup, time }) => ({ setup, contender: 'Signalbox', role: 'ours', figures: { time } })),
    goals: [
      {
        goal: `1 MB of anything in at most ${limit} ms (${worst.setup})`,
        figure: worst.time,
        unit: 'ms',
        reached: worst.time.median <= limit,
        reason: 'What has a secret in every twelfth character is masked piece by piece.',
      },
    ],
  }
}

function entryWith(body: string) {
  return {
    ...{ requestId: 'r', functionName: 'shop', source: 'load balancer web', family: 'load-balancer' },
    ...{ attempt: 1, generation: 1, started: 0, duration: 1, failure: undefined, verdict: undefined },
    event: JSON.stringify({ path: '/', body }),
    payload: '',
    logs: [],
  }
}

/** Returns the processor time of `work` in milliseconds. */
function processorTime(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
