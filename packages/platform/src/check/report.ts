import { formatProblems, type Problem } from '@signalbox/codec'
import type { Drift } from '@signalbox/core'
import type { Paint } from '@signalbox/platform-runtime/command-line'
import { printable } from '@signalbox/platform-runtime/command-line'
import type { EventReport } from './check-event.ts'
import type { SourceReport } from './check-source.ts'
import type { EventDialect } from './dialect-of.ts'

/** The report about one file. */
export type FileReport = {
  readonly file: string
  /** The dialect that the event uses, if it is not the one that the command line names. */
  readonly dialect?: EventDialect
  /** What has to be around a function of the family, so that it can handle the event. */
  readonly wrapper?: string
} & (EventReport | { readonly result: 'unreadable'; readonly why: string })

/** The report about a source. */
export type SourceFileReport = { readonly file: string } & SourceReport

/** Formats each mistake in sources as one line, as compilers do, and then how many there are below an operand. */
export function formatSources(operand: string, reports: readonly SourceFileReport[], paint: Paint): string {
  const lines = reports.flatMap(report => {
    const file = printable(report.file)
    if (report.result === 'unreadable') return [`${paint('red', '✘')} ${file}: ${report.why}`]
    if (report.result === 'valid') return []
    return report.mistakes.map(({ line, column, rule, message }) =>
      printable(`${report.file}:${line}:${column}: ${message} (${rule})`),
    )
  })
  const wrong = reports.filter(({ result }) => result === 'invalid').length
  const count = reports.flatMap(report => (report.result === 'invalid' ? report.mistakes : [])).length
  const read = reports.filter(({ result }) => result !== 'unreadable').length
  const summary =
    count === 0
      ? `${paint('green', '✔')} ${printable(operand)}: ${counted(read, 'source')}, no mistake found`
      : `${paint('red', '✘')} ${printable(operand)}: ${counted(count, 'mistake')} in ${wrong} of ${counted(read, 'source')}`
  return [...lines, ...(read === 0 ? [] : [summary])].join('\n')
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** Formats a report as one line, followed by a line for each drift or problem. */
export function formatReport(report: FileReport, paint: Paint): string {
  const { dialect, wrapper } = report
  const needs = wrapper === undefined ? '' : `\n    A function needs ${wrapper} around it for this event.`
  const hint =
    dialect === undefined || report.result === 'unknown'
      ? ''
      : `\n    It has words of the dialect ${dialect.name}: use --dialect ${dialect.name}.`
  return describe(report, paint) + needs + hint
}

function describe(report: FileReport, paint: Paint): string {
  const file = printable(report.file)
  switch (report.result) {
    case 'valid':
      return `${paint('green', '✔')} ${file}: ${report.family}, valid`
    case 'normalizable':
      return [
        `${paint('yellow', '✔')} ${file}: ${report.family}, valid after normalization`,
        ...report.drift.map(driftLine),
      ].join('\n')
    case 'invalid':
      return [
        `${paint('red', '✘')} ${file}: ${report.family}, invalid`,
        ...report.problems.map(problemLine),
        ...report.drift.map(driftLine),
      ].join('\n')
    case 'unknown':
      return [
        `${paint('red', '✘')} ${file}: unknown family. ${closestFamilyLine(report)}`,
        ...(report.dialect === undefined ? report.problems.map(problemLine) : []),
      ].join('\n')
    case 'unreadable':
      return `${paint('red', '✘')} ${file}: ${report.why}`
  }
}

function problemLine(problem: Problem): string {
  const line = formatProblems([problem])
  return `    ${printable(problem.pointer === '' ? line.replace('the value', 'the event') : line)}`
}

function driftLine({ pointer, was, became }: Drift): string {
  return `    ${printable(`${pointer}: ${was} became ${became}`)}`
}

function closestFamilyLine({
  resembles,
  found,
  dialect,
  advice,
}: Extract<FileReport, { result: 'unknown' }>): string {
  if (dialect !== undefined)
    return `It is a ${dialect.family} event in the dialect ${dialect.name}: use --dialect ${dialect.name}.`
  if (advice !== undefined) return advice
  return resembles === undefined
    ? 'It resembles no known family.'
    : `It looks most like a ${resembles} event, since it has ${found.join(', ')}, but a field that identifies this family is missing or different.`
}
