import { get } from 'node:http'
import type { Goal, Row, Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'
import { largePath } from './answer.ts'
import { load } from './load.ts'
import { type Server, startServer } from './server.ts'

const rounds = 5

/** The number of seconds for which each server is under load in a round. */
const duration = 4

/** The requests, and the goal as a fraction of the requests of node:http for the same processor time. */
const setups = [
  { setup: 'GET, 70 B', path: '/', goal: 0.45 },
  { setup: 'GET, 100 KB', path: largePath, goal: 0.5 },
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
    name: 'Signalbox, function in two instances',
    role: 'ours',
    start: () => startServer('signalbox', 'instances'),
  },
  {
    name: 'node:http with optimizeEmptyRequests, the same bytes',
    role: 'limit',
    start: () => startServer('bare', 'optimized'),
  },
] as const

interface Figures {
  readonly perSecond: number[]
  readonly processor: number[]
}

/** Measures requests per second of the load balancer, and of a server that only sends the same bytes. */
export async function throughput(): Promise<Table> {
  const servers = await Promise.all(contenders.map(({ start }) => start()))
  try {
    const parts = []
    for (const { setup, path, goal } of setups) {
      await sameAnswers(servers, path)
      parts.push(tabulate(setup, goal, await measured(servers, path)))
    }
    return {
      name: 'load-balancer',
      title: 'Platform: the load balancer in front of a function',
      about: `GET over ${32} connections kept alive; every invocation goes into the invocation log on disk. The goals are about node:http as it comes, by processor time, which other programs on the machine change least; functions in instances have no goal, because what a process of their own costs is what it isolates. The load balancer sets its option optimizeEmptyRequests, with which the bare server is faster too.`,
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

async function measured(servers: readonly Server[], path: string): Promise<readonly Figures[]> {
  const figures = servers.map((): Figures => ({ perSecond: [], processor: [] }))
  // The first round is for warming up.
  for (let round = 0; round <= rounds; round++) {
    for (const [position, server] of servers.entries()) {
      const before = await server.usage('processor')
      const { requests, perSecond } = await load(`${server.url}${path}`, { duration })
      const after = await server.usage('processor')
      if (round === 0) continue
      figures[position]!.perSecond.push(perSecond)
      figures[position]!.processor.push(((after.processor - before.processor) * 1000) / requests)
    }
  }
  return figures
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

/**
 * Checks that all servers give the same answer. Throws if the answer of a server differs from that of the first server.
 */
async function sameAnswers(servers: readonly Server[], path: string): Promise<void> {
  const answers = await Promise.all(servers.map(server => answerOf(`${server.url}${path}`)))
  const different = answers.findIndex(answer => answer !== answers[0])
  if (different >= 0)
    throw new Error(`${contenders[different]!.name}: ${answers[different]}, not ${answers[0]}`)
}

function answerOf(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, response => {
      const lines = response.rawHeaders.flatMap((name, i, all) =>
        i % 2 === 0 && name !== 'Date' ? [`${name}: ${all[i + 1]}`] : [],
      )
      let body = ''
      response.setEncoding('utf8').on('data', text => {
        body += text
      })
      response.on('end', () =>
        resolve([response.statusCode, response.statusMessage, ...lines, body].join('\n')),
      )
    }).on('error', reject)
  })
}
