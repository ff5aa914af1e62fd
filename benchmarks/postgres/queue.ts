import { postgresServer } from '@signalbox/platform-postgres/testing/postgres-server'
import type { Goal, Row, Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'
import { byHand } from './by-hand.ts'
import { graphileWorker } from './graphile-worker.ts'
import { order } from './order.ts'
import { pgBoss } from './pg-boss.ts'
import { type OpenQueue, onAllConnections } from './queue-contender.ts'
import { removeDeadRows, serverSettings } from './server.ts'
import { signalbox } from './signalbox.ts'

const contenders = [byHand, signalbox, pgBoss, graphileWorker] as const
const [hand, ours] = [0, 1]
const rounds = 5

const setups = [
  { setup: 'sent one by one, taken in tens', messages: 400, sent: 1, taken: 10 },
  { setup: 'batches of ten', messages: 1500, sent: 10, taken: 10 },
  { setup: 'batches of 500', messages: 5000, sent: 500, taken: 500 },
] as const

const reason =
  'Where a commit waits little for the disk, processor time decides. Of that, a send takes about twice as much as by hand, half of it in Node: it stores eleven columns instead of two, in three indexes instead of two, after it has looked for the queue.'

type Setup = (typeof setups)[number]

interface Pass {
  readonly sent: number
  readonly taken: number
  readonly both: number
}

/** Measures messages per second of a queue in PostgreSQL, compared with handwritten SQL statements and with peers. */
export async function queue(): Promise<Table> {
  const server = await postgresServer(serverSettings)
  try {
    const queues = await Promise.all(contenders.map(({ open }) => open(server.url)))
    const parts = []
    for (const setup of setups) parts.push(tabulate(setup, await measured(server.url, setup, queues)))
    await Promise.all(queues.map(queue => queue.close()))
    return {
      name: 'postgres-queue',
      title: 'PostgreSQL: a queue beside the statements by hand, and beside other packages',
      about:
        'Orders of 1 kB go through one server on this machine: first all are sent over four connections, then all are taken and completed over four. Every commit is on the disk. By hand there are a lease and a receipt, but no delay, no dead letters, no attributes, no retention and no notification. graphile-worker runs a function that does nothing for each order. pg-boss keeps completed jobs.',
      columns: [
        { key: 'sent', title: 'sent', unit: 'per second' },
        { key: 'taken', title: 'taken and completed', unit: 'per second' },
        { key: 'both', title: 'through', unit: 'per second' },
        { key: 'ratio', title: '× by hand', unit: 'ratio' },
      ],
      rows: parts.flatMap(({ rows }) => rows),
      goals: parts.flatMap(({ goals }) => goals),
    }
  } finally {
    await server.end()
  }
}

async function measured(url: string, setup: Setup, queues: readonly OpenQueue[]) {
  const passes = contenders.map((): Pass[] => [])
  // The first round is for warming up.
  for (let round = 0; round <= rounds; round++) {
    for (const [position, queue] of queues.entries()) {
      await removeDeadRows(url)
      const pass = await passOf(queue, setup)
      if (round > 0) passes[position]!.push(pass)
    }
  }
  return passes
}

/** Sends and drains a queue. @throws Error when an order is lost, or comes twice */
async function passOf(queue: OpenQueue, { messages, sent, taken }: Setup): Promise<Pass> {
  let next = 0
  const began = performance.now()
  await onAllConnections(async () => {
    while (next < messages) {
      const first = next
      next += sent
      await queue.send(Array.from({ length: sent }, (_, at) => order(first + at)))
    }
  })
  const between = performance.now()
  const orders = await queue.drain(messages, taken)
  const ended = performance.now()
  const different = new Set(orders.map(({ order }) => order)).size
  if (orders.length !== messages || different !== messages)
    throw new Error(`${orders.length} orders came, ${different} different ones, not ${messages}`)
  const perSecond = (from: number, to: number) => (messages * 1000) / (to - from)
  return { sent: perSecond(began, between), taken: perSecond(between, ended), both: perSecond(began, ended) }
}

function tabulate({ setup }: Setup, passes: readonly (readonly Pass[])[]): Pick<Table, 'rows' | 'goals'> {
  const to = (position: number) =>
    spread(passes[ours]!.map(({ both }, round) => both / passes[position]![round]!.both))
  const rows = contenders.map(
    ({ name, role }, position): Row => ({
      setup,
      contender: name,
      role,
      figures: {
        sent: spread(passes[position]!.map(({ sent }) => sent)),
        taken: spread(passes[position]!.map(({ taken }) => taken)),
        both: spread(passes[position]!.map(({ both }) => both)),
        ratio: spread(passes[position]!.map(({ both }, round) => both / passes[hand]![round]!.both)),
      },
    }),
  )
  const goals = contenders.flatMap(({ name, role }, position): Goal[] => {
    if (role === 'ours') return []
    const least = role === 'limit' ? 0.6 : 1
    const figure = to(position)
    const goal = `at least ${least} × ${name} (${setup})`
    const reached = figure.median >= least
    return [{ goal, figure, unit: 'ratio', reached, ...(role === 'limit' && !reached && { reason }) }]
  })
  return { rows, goals }
}
