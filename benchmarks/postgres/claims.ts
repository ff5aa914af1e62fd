import { postgresServer } from '@signalbox/platform-postgres/testing/postgres-server'
import pg from 'pg'
import type { Goal, Row, Table } from '../harness/results.ts'
import { type Spread, spread } from '../harness/spread.ts'
import { serverSettings } from './server.ts'
import { openQueues } from './signalbox.ts'

const depths = [1_000, 10_000, 100_000, 1_000_000] as const
const rounds = 5
/** The number of claims from each queue in a round. */
const claims = 20
const batchSize = 10
const body = JSON.stringify({ order: '1001', country: 'DE', parcels: 1, status: 'paid' })
/** The number of messages in each FIFO group. */
const groupSize = 10

const kinds = [
  { setup: 'standard', queue: 'orders' },
  { setup: 'FIFO', queue: 'orders.fifo' },
] as const

/** Inserts messages in the form that the store writes, as if they had been sent a second ago. */
const fillMessages = `
insert into messages (queue, visible_at, turn_at, sent_at, fifo_group, group_id, deduplication_id, message_id, sender, body)
select q.id, case when g is null then 0 else t - 1000 end, t - 1000, t - 1000, g, g, case when g is null then null else 'filled-' || n end, gen_random_uuid(), 'anonymous', $3
from queues q, time_of(null) t, generate_series(1, $2) n,
  lateral (select case when q.name like '%.fifo' then 'group-' || n / ${groupSize} end as g) as named
where q.name = $1`

const fillGroups = `
insert into groups (queue, fifo_group, ready_at, turn)
select queue, fifo_group, min(visible_at), nextval('turns') from messages where fifo_group is not null
group by queue, fifo_group`

type Claimed = Awaited<ReturnType<typeof filled>>

/** Measures how long a claim of ten messages takes while more and more messages wait. */
export async function claimsTable(): Promise<Table> {
  // Commits do not wait for the disk here, because that would hide how much work the server has.
  const server = await postgresServer([...serverSettings, 'fsync=off'])
  try {
    const all = []
    for (const depth of depths) all.push(await filled(server.url, depth))
    const parts = []
    for (const kind of kinds) parts.push(tabulate(kind, await measured(all, kind.queue)))
    for (const { close } of all) await close()
    return {
      name: 'postgres-claims',
      title: 'PostgreSQL: a claim of ten messages while others wait',
      about: `Messages of 70 B; in the FIFO queue ${groupSize} of each group. A claim is a receive of a platform's store; its messages are deleted, and as many are sent, before the next claim, beside the measurement. The depths take turns. Here commits do not wait for the disk, which would hide the work of the server.`,
      columns: [
        { key: 'claim', title: 'claim', unit: 'ms' },
        { key: 'ratio', title: '× the first', unit: 'ratio' },
      ],
      rows: parts.flatMap(({ rows }) => rows),
      goals: parts.flatMap(({ goals }) => goals),
    }
  } finally {
    await server.end()
  }
}

/** Opens queues in a separate schema, and fills each queue with waiting messages. */
async function filled(url: string, depth: number) {
  const schema = `waiting_${depth}`
  const { store, close } = await openQueues(url, schema)
  for (const { queue } of kinds) await store.createQueue(queue)
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` })
  await client.connect()
  for (const { queue } of kinds) await client.query(fillMessages, [queue, depth, body])
  await client.query(fillGroups)
  await client.query('vacuum analyze')
  await client.end()
  return { store, close }
}

/** Returns the duration of a claim at each depth in milliseconds, as the median of each round. */
async function measured(all: readonly Claimed[], queue: string): Promise<readonly (readonly number[])[]> {
  const times = all.map(() => [] as number[])
  // The first round is for warming up.
  for (let round = 0; round <= rounds; round++) {
    const ofRound = all.map(() => [] as number[])
    for (let claim = 0; claim < claims; claim++)
      for (const [position, { store }] of all.entries())
        ofRound[position]!.push(await timeOfClaim(store, queue))
    if (round > 0)
      for (const [position, each] of ofRound.entries()) times[position]!.push(spread(each).median)
  }
  return times
}

let sent = 0

async function timeOfClaim(store: Claimed['store'], queue: string): Promise<number> {
  const began = performance.now()
  const messages = await store.receive(queue, { max: batchSize, wait: 0 })
  const time = performance.now() - began
  if (messages.length !== batchSize) throw new Error(`${messages.length} messages were received`)
  await store.deleteMessages(
    queue,
    messages.map(({ receiptHandle }) => receiptHandle),
  )
  sent += 1
  const group = queue.endsWith('.fifo') ? `sent-${sent}` : undefined
  const answers = await store.send(
    queue,
    messages.map((_, at) =>
      group === undefined ? { body } : { body, group, deduplicationId: `${sent}-${at}` },
    ),
  )
  const refused = answers.find(answer => answer instanceof Error)
  if (refused !== undefined) throw refused
  return time
}

function tabulate(
  { setup }: (typeof kinds)[number],
  times: readonly (readonly number[])[],
): Pick<Table, 'rows' | 'goals'> {
  const ratios = times.map((each): Spread => spread(each.map((time, round) => time / times[0]![round]!)))
  const rows = depths.map(
    (depth, position): Row => ({
      setup,
      contender: `${depth.toLocaleString('en')} waiting`,
      role: 'ours',
      figures: { claim: spread(times[position]!), ratio: ratios[position]! },
    }),
  )
  const figure = ratios.at(-1)!
  const goals: Goal[] = [
    {
      goal: `a claim takes at most 1.25 × as long with 1,000,000 waiting as with 1,000 (${setup})`,
      figure,
      unit: 'ratio',
      reached: figure.median <= 1.25,
    },
  ]
  return { rows, goals }
}
