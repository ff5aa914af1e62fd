import { formatProblems, type Problem } from '@signalbox/codec'
import type { Drift } from '@signalbox/core'
import type { Paint } from '@signalbox/platform-runtime/command-line'
import { printable } from '@signalbox/platform-runtime/command-line'
import type { EventReport } from './check-event.ts'
import type { EventDialect } from './dialect-of.ts'

/** The report about one file. */
export type FileReport = {
  readonly file: string
  /** The dialect that the event uses, if it is not the one that the command line names. */
  readonly dialect?: EventDialect
  /** What has to be around a function of the family, so that it can handle the event. */
  readonly wrapper?: string
} & (EventReport | { readonly result: 'unreadable'; readonly why: string })

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
