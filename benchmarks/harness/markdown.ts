import type { Goal, Part, Results, Row, Table, Unit } from './results.ts'
import type { Spread } from './spread.ts'

/** Returns the page with the results, made from `results.json`. */
export function resultsPage(results: Results): string {
  return [
    '# Results',
    '',
    'Written by the commands named below; not edited by hand. Times differ from machine to machine: read the',
    'ratios. A ratio is the median of several rounds in which all contenders ran in turn, with the least and the',
    'greatest in brackets. Before timing, the answers of all contenders are compared; one that answers differently is',
    'marked †, with the difference: its times are not comparable.',
    '',
    ...section('Functions', results.functions, 'npm run bench'),
    ...section('Bundles and cold starts', results.cold, 'npm run bench:cold'),
    ...section('Platform', results.platform, undefined),
    ...section('PostgreSQL', results.postgres, undefined),
  ].join('\n')
}

/** Returns a table with its goals for the terminal. */
export function tablePage(one: Table): string {
  return [...table(one), ...goalTable([one])].join('\n')
}

function section(title: string, part: Part | undefined, command: string | undefined): string[] {
  if (part === undefined) {
    return command === undefined ? [] : [`## ${title}`, '', `Not measured yet: \`${command}\`.`, '']
  }
  const { machine, versions } = part
  return [
    `## ${title}`,
    '',
    `\`${part.command}\` on ${part.date}, ${machine.node}, ${machine.processors} × ${machine.processor}, ${machine.system}.`,
    '',
    ...goalTable(part.tables),
    ...part.tables.flatMap(table),
    `Versions: ${Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
    '',
  ]
}

function goalTable(tables: readonly Table[]): string[] {
  const goals = tables.flatMap(({ title, goals }) => goals.map(goal => ({ title, ...goal })))
  if (goals.length === 0) return []
  const missed = goals.filter(({ reached }) => !reached)
  return [
    `### Goals: ${goals.length - missed.length} of ${goals.length} reached`,
    '',
    ...rowsOf(
      ['work', 'goal', 'measured', 'reached'],
      goals.map(({ title, goal, figure, unit, reached }) => [
        title,
        goal,
        withSpread(figure, unit),
        reached ? 'yes' : 'no',
      ]),
    ),
    ...missed.flatMap(reasonOf),
  ]
}

function reasonOf({ goal, reason }: Goal): string[] {
  return [`Not reached: ${goal}. ${reason ?? ''}`.trim(), '']
}

function table({ title, about, columns, rows }: Table): string[] {
  const many = new Set(rows.map(({ setup }) => setup)).size > 1
  return [
    `### ${title}`,
    '',
    ...(about === undefined ? [] : [about, '']),
    ...rowsOf(
      [...(many ? [''] : []), 'contender', ...columns.map(column => column.title)],
      rows.map((row, position) => [
        ...(many ? [row.setup === rows[position - 1]?.setup ? '' : row.setup] : []),
        nameOf(row),
        ...columns.map(({ key, unit }) => {
          const figure = row.figures[key]
          if (figure === undefined) return ''
          return unit === 'ratio' ? withSpread(figure, unit) : inUnits(figure.median, unit)
        }),
      ]),
      many ? 2 : 1,
    ),
    ...differencesOf(rows),
  ]
}

function nameOf({ contender, role, difference }: Row): string {
  const marked = difference === undefined ? contender : `${contender} †`
  return role === 'ours' ? `**${marked}**` : role === 'peer' ? marked : `*${marked}*`
}

function differencesOf(rows: readonly Row[]): string[] {
  const differences = new Map<string, string>()
  for (const { contender, difference } of rows) {
    if (difference !== undefined) differences.set(contender, difference)
  }
  return [...differences].flatMap(([contender, difference]) => [`† ${contender}: ${difference}.`, ''])
}

function rowsOf(
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  texts = heads.length,
): string[] {
  const line = (cells: readonly string[]) =>
    `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [
    line(heads),
    `|${heads.map((_, position) => (position < texts ? '---' : '---:')).join('|')}|`,
    ...rows.map(line),
    '',
  ]
}

function withSpread({ median, low, high }: Spread, unit: Unit): string {
  const text = inUnits(median, unit)
  const from = inUnits(low, unit)
  const to = inUnits(high, unit)
  return from === to ? text : `${text} (${from}–${to})`
}

/** Formats a figure for readers: three digits, in a unit that keeps it short. */
export function inUnits(value: number, unit: Unit): string {
  if (unit === 'ratio') return digits(value)
  if (unit === 'ns') return inTime(value)
  if (unit === 'ms') return inTime(value * 1e6)
  if (unit === 'bytes') return value < 10_000 ? `${grouped(value)} B` : `${digits(value / 1000)} kB`
  return unit === 'per second' ? `${grouped(Number(value.toPrecision(3)))}/s` : grouped(value)
}

function inTime(ns: number): string {
  if (Math.abs(ns) < 1e3) return `${digits(ns)} ns`
  if (Math.abs(ns) < 1e6) return `${digits(ns / 1e3)} µs`
  return `${digits(ns / 1e6)} ms`
}

function digits(value: number): string {
  if (Math.abs(value) >= 100) return grouped(value)
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en')
}
