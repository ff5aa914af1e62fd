import { maskedEntry } from '@signalbox/platform-runtime/invocation-log'
import { hostileTexts } from '@signalbox/telemetry/testing/hostile-texts'
import type { Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'

const rounds = 15
const megabyte = 1_000_000

/** The growth of the time with twice the size that still counts as linear. Garbage collection adds to it. */
const mostGrowth = 2.4

/** Measures how the processor time for masking an entry of the invocation log grows with a hostile text. */
export async function masking(): Promise<Table> {
  const rows = Object.entries(hostileTexts).map(([setup, of]) => {
    const [small, large] = [entryWith(of(megabyte)), entryWith(of(2 * megabyte))]
    maskedEntry(large)
    // Both sizes alternate, so that other load on the machine affects them equally.
    const pairs = Array.from({ length: rounds }, () => [
      processorTime(() => maskedEntry(small)),
      processorTime(() => maskedEntry(large)),
    ]) as [number, number][]
    return {
      setup,
      time: spread(pairs.map(([one]) => one)),
      growth: spread(pairs.map(([one, two]) => two / one)),
    }
  })
  const worst = rows.reduce((a, b) => (b.growth.median > a.growth.median ? b : a))
  return {
    name: 'masking',
    title: 'Platform: secrets are masked in hostile entries of the invocation log',
    about: 'An event with a body of 1 MB, and one of 2 MB. Processor time, garbage collection included.',
    columns: [
      { key: 'time', title: 'an entry of 1 MB', unit: 'ms' },
      { key: 'growth', title: '2 MB ÷ 1 MB', unit: 'ratio' },
    ],
    rows: rows.map(({ setup, time, growth }) => ({
      ...{ setup, contender: 'Signalbox', role: 'ours' as const, figures: { time, growth } },
    })),
    goals: [
      {
        goal: `2 MB of anything in at most ${mostGrowth} × the time of 1 MB (${worst.setup})`,
        figure: worst.growth,
        unit: 'ratio',
        reached: worst.growth.median <= mostGrowth,
        reason:
          'The time of a text must be linear in its size, so that no client can stop the process with one.',
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
