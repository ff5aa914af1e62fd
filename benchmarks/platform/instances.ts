import type { Goal, Row, Table } from '../harness/results.ts'
import { type Spread, spread } from '../harness/spread.ts'
import type { Path } from './answer.ts'
import { type Figures, measuredLoad, sameAnswers } from './measured-load.ts'
import { startServer } from './server.ts'

const setups: readonly { readonly setup: string; readonly path: Path }[] = [
  { setup: 'GET, 1 KB', path: '/kilobyte' },
  { setup: 'GET, 100 KB', path: '/large' },
]

const leastOfBare = 0.4
const leastOfLimit = 0.8

const contenders = [
  { name: 'node:http, the same bytes', role: 'limit', start: () => startServer('bare') },
  {
    name: 'node:http, the same bytes from two processes',
    role: 'limit',
    start: () => startServer('exchange'),
  },
  {
    name: 'Signalbox, function in two instances',
    role: 'ours',
    start: () => startServer('signalbox', 'instances'),
  },
] as const

/** Measures a function in two instances, and two bare processes that exchange the same bytes over a socket. */
export async function instances(): Promise<Table> {
  const names = contenders.map(({ name }) => name)
  const servers = await Promise.all(contenders.map(({ start }) => start()))
  try {
    const parts = []
    for (const { setup, path } of setups) {
      await sameAnswers(names, servers, path)
      parts.push(tabulate(setup, await measuredLoad(servers, path)))
    }
    return {
      name: 'instances',
      title: 'Platform: a function in processes of its own',
      about:
        'As the load balancer in front of a function. The two processes get an event, and send the answer of the function, one at a time each, without JSON, checks, deadlines or an invocation log. All processes share the processors with the client.',
      columns: [
        { key: 'perSecond', title: 'requests', unit: 'per second' },
        { key: 'toBare', title: '× node:http', unit: 'ratio' },
        { key: 'toLimit', title: '× two processes', unit: 'ratio' },
        { key: 'processor', title: "server's own processor time each", unit: 'ns' },
      ],
      rows: parts.flatMap(({ rows }) => rows),
      goals: parts.flatMap(({ goals }) => goals),
    }
  } finally {
    await Promise.all(servers.map(server => server.end()))
  }
}

function tabulate(setup: string, figures: readonly Figures[]): Pick<Table, 'rows' | 'goals'> {
  const ratios = (to: number) =>
    figures.map(({ perSecond }) => spread(perSecond.map((each, at) => each / figures[to]!.perSecond[at]!)))
  const toBare = ratios(0)
  const toLimit = ratios(1)
  const limit = toBare[1]!.median
  const isBelow = limit < leastOfBare ? ` The limit itself is ${limit.toFixed(2)} × node:http.` : ''
  const goal = (least: number, of: string, figure: Spread): Goal => ({
    goal: `in two instances at least ${least} × ${of} (${setup})`,
    figure,
    unit: 'ratio',
    reached: figure.median >= least,
    reason: `Beside what two processes exchange, a request is made an event, its JSON is written and read on both sides, and the answer is held against the contract and kept in the invocation log.${isBelow}`,
  })
  return {
    rows: contenders.map(
      ({ name, role }, at): Row => ({
        setup,
        contender: at === 1 && isBelow !== '' ? `${name}, below ${leastOfBare} itself` : name,
        role,
        figures: {
          perSecond: spread(figures[at]!.perSecond),
          toBare: toBare[at]!,
          toLimit: toLimit[at]!,
          processor: spread(figures[at]!.processor),
        },
      }),
    ),
    goals: [goal(leastOfBare, 'node:http', toBare[2]!), goal(leastOfLimit, 'the two processes', toLimit[2]!)],
  }
}
