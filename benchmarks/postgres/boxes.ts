import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { postgresServer } from '@signalbox/platform-postgres/testing/postgres-server'
import { builtOptions } from '../harness/built-options.ts'
import type { Goal, Row, Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'
import { order } from './order.ts'
import { removeDeadRows, serverSettings } from './server.ts'
import { openQueues } from './signalbox.ts'

const counts = [1, 2, 3] as const
const rounds = 4
const messages = 3000
/** The number of messages that one call sends to fill the queue. */
const sentAtOnce = 500
const schema = 'boxes'
const program = fileURLToPath(new URL('./box.ts', import.meta.url))

interface Setup {
  readonly setup: string
  /** The number of milliseconds for which the function waits. */
  readonly pause: number
  /** What three platforms have to handle, × two platforms. */
  readonly least: number
  /** The reason that is printed if they handle less. */
  readonly reason: string
}

const setups: readonly Setup[] = [
  {
    setup: 'the function waits 20 ms',
    pause: 20,
    least: 1.1,
    reason: 'The processors were busy with other work.',
  },
  {
    setup: 'the function does nothing',
    pause: 0,
    // The server, the load and two platforms already use the processors of the machine.
    least: 0.75,
    reason: 'The platforms wait for each other, beside what a third one takes from the processors.',
  },
]

/** Measures messages per second of one, two and three platforms that share a queue. */
export async function boxes(): Promise<Table> {
  const server = await postgresServer(serverSettings)
  try {
    const parts = []
    for (const setup of setups) parts.push(tabulate(setup, await measured(server.url, setup)))
    return {
      name: 'postgres-boxes',
      title: 'PostgreSQL: platforms that share a queue',
      about:
        'Whole platforms, each in a process of its own, on the machine of the server. Each invokes its function with up to two batches of ten at a time. A function that waits 20 ms limits a platform to 1,000 messages per second, and another platform adds as many while processors are free. When the function does nothing, the processors of this machine are the limit, which the platforms, the server and the load share.',
      columns: [
        { key: 'perSecond', title: 'messages', unit: 'per second' },
        { key: 'ratio', title: '× two platforms', unit: 'ratio' },
      ],
      rows: parts.flatMap(({ rows }) => rows),
      goals: parts.flatMap(({ goals }) => goals),
    }
  } finally {
    await server.end()
  }
}

async function measured(url: string, setup: Setup): Promise<readonly (readonly number[])[]> {
  const figures = counts.map(() => [] as number[])
  const { store, close } = await openQueues(url, schema)
  await store.createQueue('orders')
  const batch = Array.from({ length: sentAtOnce }, (_, at) => ({ body: JSON.stringify(order(at)) }))
  const send = async () => {
    for (let sent = 0; sent < messages; sent += sentAtOnce) await store.send('orders', batch)
  }
  const all = Array.from({ length: Math.max(...counts) }, () => startBox(url, setup.pause))
  try {
    // The first round is for warming up.
    for (let round = 0; round <= rounds; round++) {
      for (const [position, count] of counts.entries()) {
        await removeDeadRows(url)
        const figure = await passOf(all.slice(0, count), send)
        if (round > 0) figures[position]!.push(figure)
      }
    }
  } finally {
    for (const box of all) box.disconnect()
  }
  await close()
  return figures
}

/** Starts platforms, sends messages, and returns how many are handled in a second. */
async function passOf(running: readonly ChildProcess[], send: () => Promise<void>): Promise<number> {
  await Promise.all(running.map(box => ask(box, 'start')))
  let handled = 0
  let finish = () => {}
  const finished = new Promise<void>(resolve => {
    finish = resolve
  })
  const count = (records: unknown) => {
    if (typeof records === 'number') handled += records
    if (handled >= messages) finish()
  }
  for (const box of running) box.on('message', count)
  const began = performance.now()
  await Promise.all([send(), finished])
  const seconds = (performance.now() - began) / 1000
  await Promise.all(running.map(box => ask(box, 'stop')))
  for (const box of running) box.off('message', count)
  if (handled !== messages) throw new Error(`${handled} messages were handled, not ${messages}`)
  return messages / seconds
}

/** Starts a process, but not yet the platform in it. */
function startBox(url: string, pause: number): ChildProcess {
  const box = fork(program, [url, schema, String(pause)], { execArgv: builtOptions })
  box.once('exit', code => {
    if (code !== 0) throw new Error(`A platform ended with ${code}`)
  })
  return box
}

/** Starts or stops the platform of a process, and waits until it has started or stopped. */
function ask(box: ChildProcess, what: 'start' | 'stop'): Promise<void> {
  return new Promise(resolve => {
    const hear = (answer: unknown) => {
      if (answer !== 'done') return
      box.off('message', hear)
      resolve()
    }
    box.on('message', hear)
    box.send(what)
  })
}

function tabulate(
  { setup, least, reason }: Setup,
  figures: readonly (readonly number[])[],
): Pick<Table, 'rows' | 'goals'> {
  const two = figures[counts.indexOf(2)]!
  const ratios = figures.map(each => spread(each.map((figure, round) => figure / two[round]!)))
  const rows = counts.map(
    (count, position): Row => ({
      setup,
      contender: count === 1 ? 'one platform' : `${count === 2 ? 'two' : 'three'} platforms`,
      role: 'ours',
      figures: { perSecond: spread(figures[position]!), ratio: ratios[position]! },
    }),
  )
  const figure = ratios[counts.indexOf(3)]!
  const reached = figure.median >= least
  const goal = `three platforms at least ${least} × two (${setup})`
  const goals: Goal[] = [{ goal, figure, unit: 'ratio', reached, ...(reached ? {} : { reason }) }]
  return { rows, goals }
}
