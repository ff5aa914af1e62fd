import type { Row, Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'
import { measuredLoad, sameAnswers } from './measured-load.ts'
import { startServer } from './server.ts'

/** The goal: the processor time of a request that the last of a hundred rules is for, by that of one without rules. */
const most = 1.1

const contenders = [
  { name: 'Signalbox, no rules', start: () => startServer('signalbox', 'in-process') },
  {
    name: 'Signalbox, 100 rules, of which the last applies',
    start: () => startServer('signalbox', 'in-process', '100'),
  },
] as const

/** Measures what the rules of a load balancer cost a request. */
export async function rules(): Promise<Table> {
  const servers = await Promise.all(contenders.map(({ start }) => start()))
  try {
    await sameAnswers(
      contenders.map(({ name }) => name),
      servers,
      '/',
    )
    const figures = await measuredLoad(servers, '/')
    const byProcessor = figures.map(({ processor }) =>
      spread(processor.map((each, round) => each / figures[0]!.processor[round]!)),
    )
    return {
      name: 'rules',
      title: 'Platform: the rules of a load balancer',
      about:
        'GET over 32 connections kept alive. Each rule has a path with a wildcard, and every request is compared with all of them.',
      columns: [
        { key: 'perSecond', title: 'requests', unit: 'per second' },
        { key: 'processor', title: "server's processor time each", unit: 'ns' },
        { key: 'byProcessor', title: '× no rules, by processor time', unit: 'ratio' },
      ],
      rows: contenders.map(
        ({ name }, position): Row => ({
          setup: 'GET, 70 B',
          contender: name,
          role: 'ours',
          figures: {
            perSecond: spread(figures[position]!.perSecond),
            processor: spread(figures[position]!.processor),
            byProcessor: byProcessor[position]!,
          },
        }),
      ),
      goals: [
        {
          goal: `100 rules at most ${most} × the processor time without rules`,
          figure: byProcessor[1]!,
          unit: 'ratio',
          reached: byProcessor[1]!.median <= most,
          reason: 'Each rule is a closure that compares texts.',
        },
      ],
    }
  } finally {
    await Promise.all(servers.map(server => server.end()))
  }
}
