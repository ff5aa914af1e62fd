import type { Allocations } from './allocation.ts'
import { inUnits } from './markdown.ts'
import type { Goal, Row, Table } from './results.ts'
import type { Timings } from './rounds.ts'
import { type Spread, spread } from './spread.ts'
import type { Work } from './work.ts'

export interface Measured {
  readonly timings: Timings
  readonly allocations: Allocations
  /** How answers differ from the expected ones, by setup and contender. */
  readonly differences: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Returns the measurements of a work, as a table with goals. */
export function tabulate(work: Work, measured: Measured): Table {
  const counted = work.setups.some(({ units }) => units !== undefined)
  return {
    name: work.name,
    title: work.title,
    columns: [
      { key: 'time', title: 'time', unit: 'ns' },
      ...(counted ? [{ key: 'perUnit', title: `per ${work.unit}`, unit: 'ns' } as const] : []),
      { key: 'toOurs', title: '× Signalbox', unit: 'ratio' },
      { key: 'bytes', title: 'allocated', unit: 'bytes' },
    ],
    rows: rows(work, measured),
    goals: [...ratioGoals(work, measured), ...growthGoals(work, measured), ...extraGoals(work, measured)],
  }
}

function rows(work: Work, measured: Measured): Row[] {
  return work.setups.flatMap(setup => {
    const ours = setup.contenders.find(({ role }) => role === 'ours')
    return setup.contenders.map(({ name, role }): Row => {
      const rounds = roundsOf(measured, setup.name, name)
      const difference = measured.differences[setup.name]?.[name]
      const bytes = measured.allocations.find(
        each => each.setup === setup.name && each.contender === name,
      )?.bytes
      return {
        setup: setup.name,
        contender: name,
        role,
        figures: {
          time: spread(rounds),
          ...(setup.units === undefined ? {} : { perUnit: spread(rounds.map(time => time / setup.units!)) }),
          ...(ours ? { toOurs: ratio(rounds, roundsOf(measured, setup.name, ours.name)) } : {}),
          ...(bytes === undefined ? {} : { bytes: { median: bytes, low: bytes, high: bytes } }),
        },
        ...(difference === undefined ? {} : { difference }),
      }
    })
  })
}

function ratioGoals(work: Work, measured: Measured): Goal[] {
  return (work.ratios ?? []).map(({ setup, of, to, atMost, atLeast, otherwise }) => {
    const a = roundsOf(measured, setup, of)
    const b = roundsOf(measured, setup, to)
    return atLeast === undefined
      ? judged(`${of} at most ${atMost} × ${to}, ${setup}`, ratio(a, b), atMost!, otherwise)
      : judgedAbove(
          `${of} at least ${atLeast} × faster than ${to}, ${setup}`,
          ratio(b, a),
          atLeast,
          otherwise,
        )
  })
}

function growthGoals(work: Work, measured: Measured): Goal[] {
  const goals = (work.growth ?? []).map(({ together, of, from, to, atMost, otherwise }) => {
    const perUnit = (name: string) => {
      const units = work.setups.find(setup => setup.name === name)?.units ?? 1
      return roundsOf(measured, name, of).map(time => time / units)
    }
    const goal = `${of}, ${to}: a ${work.unit ?? 'run'} costs at most ${atMost} × one of ${from}`
    return { together, ...judged(goal, ratio(perUnit(to), perUnit(from)), atMost, otherwise) }
  })
  return worstOfEach(goals)
}

function extraGoals(work: Work, measured: Measured): Goal[] {
  const goals = (work.extra ?? []).map(({ together, of, from, to, atMost, otherwise }) => {
    const short = roundsOf(measured, from, of)
    const long = roundsOf(measured, to, of)
    const figure = spread(long.map((time, round) => time - short[round]!))
    const goal = `${of}: ${to} takes at most ${inUnits(atMost, 'ns')} more than ${from}`
    return { together, ...judged(goal, figure, atMost, otherwise), unit: 'ns' as const }
  })
  return worstOfEach(goals)
}

/** Among goals with the same text, keeps only the one with the greatest figure. */
function worstOfEach(goals: readonly (Goal & { readonly together: string | undefined })[]): Goal[] {
  const worst = new Map<string, Goal>()
  for (const { together, ...goal } of goals) {
    const sentence = together ?? goal.goal
    const known = worst.get(sentence)
    if (known && known.figure.median >= goal.figure.median) continue
    worst.set(sentence, { ...goal, goal: sentence })
  }
  return [...worst.values()]
}

function judged(goal: string, figure: Spread, atMost: number, otherwise: string | undefined): Goal {
  return verdict(goal, figure, figure.median <= atMost, otherwise)
}

function judgedAbove(goal: string, figure: Spread, atLeast: number, otherwise: string | undefined): Goal {
  return verdict(goal, figure, figure.median >= atLeast, otherwise)
}

function verdict(goal: string, figure: Spread, reached: boolean, otherwise: string | undefined): Goal {
  return {
    goal,
    figure,
    unit: 'ratio',
    reached,
    ...(reached || otherwise === undefined ? {} : { reason: otherwise }),
  }
}

function ratio(a: readonly number[], b: readonly number[]): Spread {
  return spread(a.map((time, round) => time / b[round]!))
}

function roundsOf({ timings }: Measured, setup: string, contender: string): readonly number[] {
  const found = timings.find(each => each.setup === setup && each.contender === contender)
  if (found === undefined) throw new Error(`no contender ${contender} was timed with ${setup}`)
  return found.rounds
}
