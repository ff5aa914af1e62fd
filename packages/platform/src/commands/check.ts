import { resolve } from 'node:path'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import { defineCommand, printableJson, UsageError } from '@signalbox/platform-runtime/command-line'
import { dialectOf, wrappingDialectOf } from '../check/dialect-of.ts'
import { readEvent } from '../check/read-event.ts'
import { type FileReport, formatReport } from '../check/report.ts'
import { dialectOption, type Words, wordsOf } from './dialect-option.ts'

/** Checks the event in each file against the contract. */
export const check = defineCommand({
  name: 'check',
  summary: 'Check event files against the contract',
  usage: 'FILE… [--json] [--dialect NAME]',
  details: `Prints the family of each event, and whether the event is valid, valid after normalization (with its drift), or
invalid (with JSON pointers).

Exit codes: 0 all are valid, some perhaps after normalization; 1 some are invalid; 2 some cannot be read.`,
  examples: [
    ['signalbox check event.json', 'checks one event'],
    ['signalbox check events/*.json --json', 'prints one JSON object for each file'],
    ['signalbox check --dialect aws event.json', 'checks an event as AWS sends it'],
  ],
  options: {
    json: { type: 'boolean', help: 'print one JSON object for each file' },
    dialect: dialectOption,
  },
  async run({ json = false, dialect }, files, terminal) {
    if (files.length === 0) throw new UsageError('check needs at least one file.')
    const words = wordsOf(dialect, terminal.dialects)
    let exitCode: 0 | 1 | 2 = 0
    for (const file of files) {
      const report = await reportOn(file, words, dialect !== undefined, terminal)
      terminal.print(json ? printableJson(report) : formatReport(report, terminal.paint))
      if (report.result === 'unreadable') exitCode = 2
      else if (report.result === 'invalid' || report.result === 'unknown') exitCode ||= 1
    }
    return exitCode
  },
})

async function reportOn(
  file: string,
  words: Words,
  asked: boolean,
  context: CommandContext,
): Promise<FileReport> {
  const { checkEvent } = await import('../check/check-event.ts')
  const found = await readEvent(resolve(context.cwd, file))
  if ('unreadable' in found) return { file, result: 'unreadable', why: found.unreadable }
  const families = await context.families()
  const wrapped = words.wrapped?.(found.event)
  const report = checkEvent(wrapped === undefined ? words.read(found.event) : wrapped.event, families)
  const dialect = asked
    ? undefined
    : (dialectOf(found.event, context.dialects, families) ??
      wrappingDialectOf(found.event, context.dialects, families))
  return { file, ...report, ...(dialect && { dialect }), ...(wrapped && { wrapper: wrapped.by }) }
}
