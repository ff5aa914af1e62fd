import { setTimeout as delay } from 'node:timers/promises'
import type { QueueStore } from '@signalbox/platform-queue/store'
import type { Row, Table } from '../harness/results.ts'
import { type Spread, spread } from '../harness/spread.ts'

const rounds = 5
const receivers = 8
/**
 * The average time in milliseconds that a receiver spends on a message. Each time is between half and one and a half of it:
 * with equal times, receivers whose commits the disk has joined once would ask for messages at the same moment from then on.
 */
const handling = 10
/** The number of messages that the noisy group still has at the end of a round. */
const noisyMessages = 10_000
/** The number of further messages of the noisy group, which receivers get in a round. */
const noisyReceived = 6_000
const quietMessages = 200
/** The average number of milliseconds between two messages of the quiet group. */
const pause = 25
const sentAtOnce = 500

/** The backlogs beside which the messages of the quiet group are sent. */
const backlogs = [
  { contender: 'an empty queue', group: undefined, count: 0 },
  { contender: '10,000 of a noisy group waiting', group: 'noisy', count: noisyMessages + noisyReceived },
] as const

/**
 * Measures the dwell time of a quiet group, from before the send until the receive returns, with and without the backlog of
 * another group.
 * @param open opens a store in which no queue exists
 */
export async function dwellTable(
  { name, title }: Pick<Table, 'name' | 'title'>,
  open: () => Promise<QueueStore>,
): Promise<Table> {
  const times = backlogs.map(() => ({ p50: [] as number[], p99: [] as number[] }))
  // The first round is for warming up.
  for (let round = 0; round <= rounds; round++) {
    for (const [position, backlog] of backlogs.entries()) {
      const store = await open()
      const sorted = [...(await dwellTimes(store, backlog))].sort((a, b) => a - b)
      await store.close()
      if (round === 0) continue
      times[position]!.p50.push(sorted[Math.ceil(sorted.length / 2) - 1]!)
      times[position]!.p99.push(sorted[Math.ceil(sorted.length * 0.99) - 1]!)
    }
  }
  const ratios = times.map(
    ({ p99 }): Spread => spread(p99.map((time, round) => time / times[0]!.p99[round]!)),
  )
  const figure = ratios.at(-1)!
  return {
    name,
    title,
    about: `${receivers} receivers take one message at a time and spend ${handling} ms on it on average, from half to one and a half of that. A quiet group sends ${quietMessages} messages, one every ${pause} ms. The dwell time goes from the start of the send to the end of the receive; every commit is on the disk.`,
    columns: [
      { key: 'p50', title: 'dwell time, median', unit: 'ms' },
      { key: 'p99', title: 'dwell time, p99', unit: 'ms' },
      { key: 'ratio', title: '× the first (p99)', unit: 'ratio' },
    ],
    rows: backlogs.map(
      ({ contender }, position): Row => ({
        setup: 'messages of a quiet group',
        contender,
        role: 'ours',
        figures: {
          p50: spread(times[position]!.p50),
          p99: spread(times[position]!.p99),
          ratio: ratios[position]!,
        },
      }),
    ),
    goals: [
      {
        goal: 'the p99 of a quiet group’s dwell time is at most 3 × that of an empty queue',
        figure,
        unit: 'ratio',
        reached: figure.median <= 3,
        reason: 'A message waits until a receiver has handled its message, and receivers keep the disk busy.',
      },
    ],
  }
}

/** Returns the dwell times of the messages of a quiet group in milliseconds. */
async function dwellTimes(
  store: QueueStore,
  { group, count }: (typeof backlogs)[number],
): Promise<readonly number[]> {
  await store.createQueue('orders')
  for (let sent = 0; sent < count; sent += sentAtOnce)
    await store.send(
      'orders',
      Array.from({ length: sentAtOnce }, () => ({ body: 'noisy', group })),
    )
  const times: number[] = []
  const stop = new AbortController()
  const work = async () => {
    while (!stop.signal.aborted) {
      const [message] = await store.receive('orders', { max: 1, wait: 20_000, signal: stop.signal })
      if (message === undefined) continue
      if (message.group === 'quiet') times.push(performance.now() - Number(message.body))
      await delay(handling * (0.5 + Math.random()))
      await store.deleteMessages('orders', [message.receiptHandle])
    }
  }
  const working = Array.from({ length: receivers }, work)
  await delay(500)
  for (let sent = 0; sent < quietMessages; sent++) {
    await store.send('orders', [{ body: String(performance.now()), group: 'quiet' }])
    await delay(pause * (0.5 + Math.random()))
  }
  await delay(1000)
  stop.abort()
  await Promise.all(working)
  const { visible } = await store.depth('orders')
  if (times.length !== quietMessages || (count > 0 && visible < noisyMessages))
    throw new Error(`${times.length} messages of the quiet group came, and ${visible} messages are left`)
  return times
}
