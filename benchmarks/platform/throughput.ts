import type { Goal, Row, Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'
import { type Figures, measuredLoad, sameAnswers } from './measured-load.ts'
import { startServer } from './server.ts'

/** The requests, and the goal as a fraction of the requests of node:http for the same processor time. */
const setups = [
  { setup: 'GET, 70 B', path: '/', goal: 0.45 },
  { setup: 'GET, 100 KB', path: '/large', goal: 0.5 },
] as const

const reason =
  'Beside what node:http does itself, a request is made an event, and its answer text and read back, held against the contract, and kept in the invocation log, all in one thread.'

const contenders = [
  { name: 'node:http, the same bytes', role: 'limit', start: () => startServer('bare') },
  {
    name: 'Signalbox, function in-process',
    role: 'ours',
    start: () => startServer('signalbox', 'in-process'),
  },
  {
    name: 'node:http with optimizeEmptyRequests, the same bytes',
    role: 'limit',
    start: () => startServer('bare', 'optimized'),
  },
] as const

/** Measures requests per second of the load balancer, and of a server that only sends the same bytes. */
export async function throughput(): Promise<Table> {
  const names = contenders.map(({ name }) => name)
  const servers = await Promise.all(contenders.map(({ start }) => start()))
  try {
    const parts = []
    for (const { setup, path, goal } of setups) {
      await sameAnswers(names, servers, path)
      parts.push(tabulate(setup, goal, await measuredLoad(servers, path)))
    }
    return {
      name: 'load-balancer',
      title: 'Platform: the load balancer in front of a function',
      about: `GET over ${32} connections kept alive; every invocation goes into the invocation log on disk. The goals are about node:http as it comes, by processor time, which other programs on the machine change least. The load balancer sets its option optimizeEmptyRequests, with which the bare server is faster too.`,
      columns: [
        { key: 'perSecond', title: 'requests', unit: 'per second' },
        { key: 'toBare', title: '× node:http', unit: 'ratio' },
        { key: 'processor', title: "server's processor time each", unit: 'ns' },
        { key: 'byProcessor', title: '× node:http, by processor time', unit: 'ratio' },
      ],
      rows: parts.flatMap(({ rows }) => rows),
      goals: parts.flatMap(({ goals }) => goals),
    }
  } finally {
    await Promise.all(servers.map(server => server.end()))
  }
}

function tabulate(setup: string, least: number, figures: readonly Figures[]): Pick<Table, 'rows' | 'goals'> {
  const bare = figures[0]!.perSecond
  const toBare = figures.map(({ perSecond }) => spread(perSecond.map((each, round) => each / bare[round]!)))
  // On a busy machine, the requests per second depend more on other programs than on the server.
  const byProcessor = figures.map(({ processor }) =>
    spread(processor.map((each, round) => figures[0]!.processor[round]! / each)),
  )
  const goals: Goal[] = [
    {
      goal: `in-process at least ${least} × the requests of node:http for the same processor time (${setup})`,
      figure: byProcessor[1]!,
      unit: 'ratio',
      reached: byProcessor[1]!.median >= least,
      reason,
    },
  ]
  const rows = contenders.map(
    ({ name, role }, position): Row => ({
      setup,
      contender: name,
      role,
      figures: {
        perSecond: spread(figures[position]!.perSecond),
        toBare: toBare[position]!,
        processor: spread(figures[position]!.processor),
        byProcessor: byProcessor[position]!,
      },
    }),
  )
  return { rows, goals }
}
