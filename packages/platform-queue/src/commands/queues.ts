import { systemClock } from '@signalbox/core/base'
import { configOption, defineCommand, refuseOperands } from '@signalbox/platform-runtime/command-line'
import { openForReading } from '@signalbox/platform-runtime/storage'
import { type QueueReport, queueReports } from '../store/sqlite/queue-report.ts'

/** Shows the queues. */
export const queues = defineCommand({
  name: 'queues',
  summary: 'Show all queues, or the messages of one',
  usage: '[--config FILE] [--json]',
  details: 'Reads the files of the platform, which need not be running.',
  examples: [['signalbox queues', 'a line for each queue']],
  options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object for each' } },
  async run({ config: given, json = false }, operands, terminal) {
    refuseOperands('queues', operands)
    const { dataDir } = (await terminal.project(given)).settings
    if (dataDir === undefined)
      throw new Error(
        'This configuration keeps its queues in memory. Set dataDir to keep them on disk. Set dataDir to keep them on disk.',
      )
    const reports = reportsIn(dataDir)
    if (json) for (const report of reports) terminal.print(JSON.stringify(report))
    else terminal.print(reports.length === 0 ? 'There are no queues yet.' : table(reports))
    return 0
  },
})

function reportsIn(dataDir: string): readonly QueueReport[] {
  const database = openForReading(dataDir, 'queues')
  if (database === undefined) return []
  try {
    return queueReports(database, systemClock.now())
  } finally {
    database.close()
  }
}

function table(reports: readonly QueueReport[]): string {
  const rows = [
    ['queue', 'waiting', 'in flight', 'delayed', 'oldest', 'dead letters'],
    ...reports.map(({ name, visible, inFlight, delayed, oldestAge, deadLetters }) => [
      name,
      String(visible),
      String(inFlight),
      String(delayed),
      oldestAge === undefined ? '-' : age(oldestAge),
      deadLetters === undefined ? '-' : String(deadLetters),
    ]),
  ]
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map(row => row[column]!.length)))
  return rows
    .map(row =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
        .join('  '),
    )
    .join('\n')
}

function age(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}
