import { join, resolve } from 'node:path'
import type { CommandContext } from '@signalbox/platform-runtime/command-line'
import {
  configOption,
  defineCommand,
  printable,
  printableJson,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { dialectOf, wrappingDialectOf } from '../check/dialect-of.ts'
import { readEvent, readText } from '../check/read-event.ts'
import { type FileReport, formatReport, formatSources, type SourceFileReport } from '../check/report.ts'
import { isDeclarations, isFolder, isSource, sourcesBelow } from '../check/source-files.ts'
import type { LoadedTemplate } from '../template/load-template.ts'
import { configSource, templateOptions, warningLines } from '../template/template-options.ts'
import { dialectOption, type Words, wordsOf } from './dialect-option.ts'

/** Checks events in files, and functions in sources, against the contract. */
export const check = defineCommand({
  name: 'check',
  summary: 'Check event files, or sources of functions, against the contract',
  usage: 'FILE|FOLDER… [--json] [--dialect NAME] | --template FILE [--parameter NAME=VALUE]… [--config FILE]',
  details: `Prints the family of each event, and whether the event is valid, valid after normalization (with its drift), or
invalid (with JSON pointers).

In a source of JavaScript or TypeScript, and in all sources of a folder, it looks for mistakes of functions that no platform
reports: a batch whose failures are not returned, a field of another trigger, a header that is lost. Each is one line with its
place and the address of the row of the contract. The comments of ESLint switch rules off, such as
// eslint-disable-next-line signalbox/batch-response. Dependencies (node_modules), builds (dist, build, coverage) and folders
that start with a dot are left out.

With --template, says instead what of a template would run here, with the settings of --config beside it, and what would
not.

Exit codes: 0 all are valid, some perhaps after normalization; 1 some are invalid; 2 some cannot be read, or a folder has no
source. For a template: 0 everything runs, 1 some of it does not, 2 it cannot be understood.`,
  examples: [
    ['signalbox check event.json', 'checks one event'],
    ['signalbox check events/*.json --json', 'prints one JSON object for each file'],
    ['signalbox check src', 'looks for mistakes in the sources of a folder'],
    ['signalbox check --dialect aws event.json', 'checks an event as AWS sends it'],
  ],
  options: {
    json: { type: 'boolean', help: 'print one JSON object for each file' },
    dialect: dialectOption,
    ...templateOptions,
    config: { ...configOption, help: 'a configuration beside the template' },
  },
  async run({ json = false, dialect, ...choice }, files, terminal) {
    if (choice.template !== undefined) {
      refuseOperands('check --template', files)
      return checkTemplate(choice, json, terminal)
    }
    configSource(choice, terminal.cwd, () => {})
    if (choice.config !== undefined) throw new UsageError('--config needs --template FILE.')
    if (files.length === 0) throw new UsageError('check needs at least one file or folder.')
    const words = wordsOf(dialect, terminal.dialects)
    let exitCode: 0 | 1 | 2 = 0
    for (const file of files) {
      // A shell lists them among the sources of a folder.
      if (isDeclarations(file)) continue
      if (isSource(file) || (await isFolder(resolve(terminal.cwd, file)))) {
        const reports = await reportsOnSources(file, terminal.cwd)
        if (json) for (const report of reports) terminal.print(printableJson(report))
        else terminal.print(formatSources(file, reports, terminal.paint))
        if (reports.some(({ result }) => result === 'unreadable')) exitCode = 2
        else if (reports.some(({ result }) => result === 'invalid')) exitCode ||= 1
        continue
      }
      const report = await reportOn(file, words, dialect !== undefined, terminal)
      terminal.print(json ? printableJson(report) : formatReport(report, terminal.paint))
      if (report.result === 'unreadable') exitCode = 2
      else if (report.result === 'invalid' || report.result === 'unknown') exitCode ||= 1
    }
    return exitCode
  },
})

/** Says what of a template runs. */
async function checkTemplate(
  choice: Parameters<typeof configSource>[0],
  json: boolean,
  terminal: CommandContext,
): Promise<0 | 1> {
  let loaded: LoadedTemplate | undefined
  const source = configSource(choice, terminal.cwd, found => {
    loaded = found
  })
  const { file } = await terminal.project(source)
  const { names, ...rest } = loaded!
  const lines = warningLines(rest)
  if (json) terminal.print(printableJson({ file, ...names, warnings: lines }))
  else {
    for (const [part, all] of Object.entries(names))
      if (all.length > 0) terminal.print(printable(`${part}: ${all.join(', ')}`))
    for (const { text } of lines) terminal.print(printable(text))
  }
  return lines.some(({ kind }) => kind === 'missing') ? 1 : 0
}

/** Returns a report on each source at a path or below it. */
async function reportsOnSources(operand: string, cwd: string): Promise<readonly SourceFileReport[]> {
  const { checkSource } = await import('../check/check-source.ts')
  const path = resolve(cwd, operand)
  const files = (await isFolder(path)) ? await sourcesIn(operand, path) : [operand]
  if (typeof files === 'string') return [{ file: operand, result: 'unreadable', why: files }]
  const reports: SourceFileReport[] = []
  for (const file of files) {
    const read = await readText(resolve(cwd, file))
    const report =
      'unreadable' in read
        ? ({ result: 'unreadable', why: read.unreadable } as const)
        : checkSource(file, read.text)
    reports.push({ file, ...report })
  }
  return reports
}

/** Returns the sources of a folder, with the folder before them, or why there are none. */
async function sourcesIn(operand: string, path: string): Promise<readonly string[] | string> {
  try {
    const found = await sourcesBelow(path)
    return found.length === 0
      ? 'it is a folder without sources of JavaScript or TypeScript'
      : found.map(each => join(operand, each))
  } catch (error) {
    return `it is a folder that cannot be read: ${(error as NodeJS.ErrnoException).code}`
  }
}

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
