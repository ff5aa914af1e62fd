import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@signalbox/core'
import type { OwnQueueStore } from '@signalbox/platform-queue/store'
import { localStore, poller } from '@signalbox/platform-queue/testing/parts'
import { defaultLocation, systemRandom } from '@signalbox/platform-runtime'
import {
  dispatcher,
  inProcessInvoker,
  localInvocationLog,
} from '@signalbox/platform-runtime/platform/testing/parts'
import type { Row, Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'
import { sqliteAlone } from './sqlite-alone.ts'

const rounds = 5
const messages = 3000
const batchSize = 10
const depths = [1_000, 1_000_000] as const
const body = JSON.stringify({ order: '1001', country: 'DE', parcels: 1, status: 'paid' })

/** Measures messages per second from sending to deleting, compared with SQLite alone at the same durability. */
export async function queue(): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-bench-'))
  try {
    const platform = { perSecond: [] as number[], toAlone: [] as number[] }
    const alone: number[] = []
    // The first round is for warming up.
    for (let round = 0; round <= rounds; round++) {
      const limit = inFolder(folder, path =>
        perSecond(messages, () => sqliteAlone(path, body, messages, batchSize)),
      )
      const ours = await throughPlatform(mkdtempSync(join(folder, 'box-')))
      if (round === 0) continue
      alone.push(limit)
      platform.perSecond.push(ours)
      platform.toAlone.push(ours / limit)
    }
    const waiting = await Promise.all(depths.map(depth => filled(mkdtempSync(join(folder, 'deep-')), depth)))
    const deep = depths.map(() => [] as number[])
    for (let round = 0; round <= rounds; round++) {
      for (const [position, store] of waiting.entries()) {
        const figure = await passThrough(store)
        if (round > 0) deep[position]!.push(figure)
      }
    }
    for (const store of waiting) await store.close()
    return tabulate(alone, platform, deep)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tabulate(
  alone: readonly number[],
  platform: { readonly perSecond: readonly number[]; readonly toAlone: readonly number[] },
  deep: readonly (readonly number[])[],
): Table {
  const one = spread(alone.map(() => 1))
  const toAlone = spread(platform.toAlone)
  const flatness = spread(deep[1]!.map((each, round) => each / deep[0]![round]!))
  const work = `${messages.toLocaleString('en')} messages, batches of ${batchSize}`
  const row = (setup: string, contender: string, role: Row['role'], figures: Row['figures']): Row => ({
    setup,
    contender,
    role,
    figures,
  })
  return {
    name: 'queue',
    title: 'Platform: a queue in front of a function',
    about:
      'Send, invoke a function in this process, delete; every commit is on the disk. SQLite alone does the same statements without a function.',
    columns: [
      { key: 'perSecond', title: 'messages', unit: 'per second' },
      { key: 'ratio', title: '× the first', unit: 'ratio' },
    ],
    rows: [
      row(work, 'SQLite alone', 'limit', { perSecond: spread(alone), ratio: one }),
      row(work, 'Signalbox', 'ours', { perSecond: spread(platform.perSecond), ratio: toAlone }),
      row('sent, received and deleted', '1,000 others waiting', 'ours', {
        perSecond: spread(deep[0]!),
        ratio: one,
      }),
      row('sent, received and deleted', '1,000,000 others waiting', 'ours', {
        perSecond: spread(deep[1]!),
        ratio: flatness,
      }),
    ],
    goals: [
      {
        goal: 'send → invoke → delete at least 0.5 × SQLite alone',
        figure: toAlone,
        unit: 'ratio',
        reached: toAlone.median >= 0.5,
        reason: 'Message ids, receipts and digests, the event as text and back, and the invocation log.',
      },
      {
        goal: 'as fast with 1,000,000 messages waiting as with 1,000 (at least 0.8 ×)',
        figure: flatness,
        unit: 'ratio',
        reached: flatness.median >= 0.8,
        reason:
          'The indexes of a million messages are one level deeper, and their pages do not all fit into the cache.',
      },
    ],
  }
}

async function throughPlatform(folder: string): Promise<number> {
  const invocationLog = localInvocationLog(new DatabaseSync(join(folder, 'invocation-log.sqlite')), {
    limits: { size: 2 ** 26, age: 1e9 },
    clock: systemClock,
    notice: text => console.error(text),
  })
  const store = localStore(new DatabaseSync(join(folder, 'queues.sqlite')), systemClock, systemRandom)
  await store.createQueue('orders')
  let handled = 0
  let finish = () => {}
  const handler = (event: { readonly Records: readonly unknown[] }) => {
    handled += event.Records.length
    return { batchItemFailures: [] }
  }
  const invoker = inProcessInvoker({ name: 'work', handler, timeout: 10_000, clock: systemClock })
  const send = dispatcher(
    new Map([['work', { invoker, dialect: undefined }]]),
    invocationLog.append,
    systemClock,
    systemRandom,
  )
  const counting = {
    ...store,
    deleteMessages: async (...args: Parameters<OwnQueueStore['deleteMessages']>) => {
      const answers = await store.deleteMessages(...args)
      if (handled === messages) finish()
      return answers
    },
  }
  const polling = poller(
    {
      queue: 'orders',
      location: defaultLocation,
      functions: [
        {
          functionName: 'work',
          filter: undefined,
          batchSize,
          maximumConcurrency: 4,
          reportBatchItemFailures: true,
          resourceForm: 'contract',
        },
      ],
      batchWindow: 0,
      visibilityTimeout: 30_000,
    },
    counting,
    {
      dispatch: send,
      clock: systemClock,
      machineClock: systemClock,
      random: systemRandom,
      notice: text => console.error(text),
      services: {},
    },
  )
  polling.start()
  const figure = await perSecondOf(messages, async () => {
    const finished = new Promise<void>(resolve => {
      finish = resolve
    })
    for (let sent = 0; sent < messages; sent += batchSize) await store.send('orders', batchOf(batchSize))
    await finished
  })
  await polling.stop(1000)
  const { visible, inFlight } = await store.depth('orders')
  if (visible + inFlight > 0) throw new Error(`${visible + inFlight} messages are still there`)
  await store.close()
  await invoker.stop()
  await invocationLog.close()
  return figure
}

async function filled(folder: string, depth: number): Promise<OwnQueueStore> {
  const store = localStore(new DatabaseSync(join(folder, 'queues.sqlite')), systemClock, systemRandom)
  await store.createQueue('orders')
  for (let sent = 0; sent < depth; sent += 1000) await store.send('orders', batchOf(1000))
  return store
}

/** Sends, receives and deletes messages, so that the depth stays the same. */
function passThrough(store: OwnQueueStore): Promise<number> {
  return perSecondOf(messages, async () => {
    for (let passed = 0; passed < messages; passed += batchSize) {
      await store.send('orders', batchOf(batchSize))
      const received = await store.receive('orders', { max: batchSize, wait: 0 })
      if (received.length !== batchSize) throw new Error(`${received.length} messages were received`)
      await store.deleteMessages(
        'orders',
        received.map(({ receiptHandle }) => receiptHandle),
      )
    }
  })
}

const batchOf = (size: number) => Array.from({ length: size }, () => ({ body }))

function inFolder<T>(folder: string, work: (path: string) => T): T {
  return work(mkdtempSync(join(folder, 'alone-')))
}

function perSecond(count: number, work: () => void): number {
  const started = performance.now()
  work()
  return (count * 1000) / (performance.now() - started)
}

async function perSecondOf(count: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now()
  await work()
  return (count * 1000) / (performance.now() - started)
}
