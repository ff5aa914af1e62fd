import type { Row, Table } from '../harness/results.ts'
import { spread } from '../harness/spread.ts'
import { steps, together, waitingExecutions, waits } from './running-executions.ts'

/** The figures of one round. */
export interface MeasuredRound {
  /** The steps per second of the same statements by hand, and of the platform. */
  readonly alone: number
  readonly perSecond: number
  /** By how many milliseconds 99 of 100 waits end late at most, alone and beside many executions that wait. */
  readonly late: number
  readonly crowdedLate: number
  /** The processor time of an idle platform in milliseconds per second, with one execution that waits, and with many. */
  readonly idle: number
  readonly crowdedIdle: number
}

/** What distinguishes the table of a storage engine. */
interface Words extends Pick<Table, 'name' | 'title'> {
  /** How the storage alone does the work. */
  readonly about: string
  /** The name of the storage alone. */
  readonly alone: string
  /** The smallest ratio of steps per second to the storage alone that is enough. */
  readonly least: number
}

/** Returns the table of executions on a storage engine. */
export function executionsTable(
  measured: readonly MeasuredRound[],
  { name, title, about, alone, least }: Words,
): Table {
  const of = (figure: (round: MeasuredRound) => number) => spread(measured.map(figure))
  const ratio = of(round => round.perSecond / round.alone)
  const late = of(round => round.late)
  const crowdedLate = of(round => round.crowdedLate)
  const more = of(round => round.crowdedIdle - round.idle)
  const work = `${together} executions at a time, ${steps} steps each`
  const others = `${waitingExecutions.toLocaleString('en')} others wait`
  const row = (setup: string, contender: string, figures: Row['figures']): Row => ({
    ...{ setup, contender, role: contender === alone ? 'limit' : 'ours', figures },
  })
  return {
    ...{ name, title },
    about: `A function in this process makes a checkpoint over HTTP for each step, and goes on when it is on the disk. ${about} A wait of a second is late by the time from its end until the function runs. The processor time is that of the idle process.`,
    columns: [
      { key: 'perSecond', title: 'steps', unit: 'per second' },
      { key: 'ratio', title: '× the first', unit: 'ratio' },
      { key: 'late', title: 'late, p99', unit: 'ms' },
      { key: 'idle', title: 'processor, per second', unit: 'ms' },
    ],
    rows: [
      row(work, alone, { perSecond: of(round => round.alone), ratio: of(() => 1) }),
      row(work, 'Signalbox', { perSecond: of(round => round.perSecond), ratio }),
      row(`${waits} waits of a second`, 'Signalbox', { late }),
      row(`${waits} waits of a second, while ${others}`, 'Signalbox', { late: crowdedLate }),
      row('nothing is due', 'Signalbox, one execution waits', { idle: of(round => round.idle) }),
      row('nothing is due', `Signalbox, ${others}`, { idle: of(round => round.crowdedIdle) }),
    ],
    goals: [
      {
        goal: `steps of executions at least ${least} × ${alone}`,
        figure: ratio,
        unit: 'ratio',
        reached: ratio.median >= least,
        reason: 'A request over HTTP for each step, with the token, the checks and the answer.',
      },
      {
        goal: 'from a due wait to its invocation p99 under 250 ms',
        figure: late,
        unit: 'ms',
        reached: late.median < 250,
        reason: `${waits} waits end at the same moment, and each is a transaction of its own before its function runs.`,
      },
      {
        goal: `the same while ${others}`,
        figure: crowdedLate,
        unit: 'ms',
        reached: crowdedLate.median < 250,
        reason: `${waits} waits end at the same moment, and each is a transaction of its own before its function runs.`,
      },
      {
        goal: `${waitingExecutions.toLocaleString('en')} executions that wait take less than 1 ms of processor time a second`,
        figure: more,
        unit: 'ms',
        reached: more.median < 1,
      },
    ],
  }
}
