import type { DatabaseSync } from 'node:sqlite'
import { systemClock } from '@signalbox/core/base'
import { unknownName } from '@signalbox/platform-runtime'
import {
  configOption,
  defineCommand,
  type Paint,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { openForReading } from '@signalbox/platform-runtime/storage'
import type { OwnQueueStore, PeekedMessage, QueueReport } from '../store/own-queue-store.ts'
import { peekMessages } from '../store/sqlite/peek-messages.ts'
import { queueReports } from '../store/sqlite/queue-report.ts'
import { withEngineStore } from './with-engine-store.ts'

/** Shows the queues. */
export const queues = defineCommand({
  name: 'queues',
  summary: 'Show all queues, or the messages of one',
  usage: '[peek QUEUE [--limit N]] [--config FILE] [--json]',
  details:
    'Reads the storage of the platform, which need not be running. With peek it shows the oldest messages of a queue without receiving them.',
  examples: [
    ['signalbox queues', 'a line for each queue'],
    ['signalbox queues peek orders-dead', 'the oldest messages of a queue, which stay as they are'],
  ],
  options: {
    config: configOption,
    limit: { type: 'string', value: 'N', help: 'messages that peek shows; default 10' },
    json: { type: 'boolean', help: 'print one JSON object for each' },
  },
  async run({ config, json = false, limit }, operands, terminal) {
    const [verb, queue] = operands
    if (verb !== undefined && verb !== 'peek')
      throw new UsageError(
        `queues takes no argument "${verb}". To see messages, run: signalbox queues peek ${verb}`,
      )
    if (verb === 'peek' && queue === undefined) throw new UsageError('queues peek needs a queue.')
    refuseOperands('queues', operands, 2)
    const { dataDir, storage } = (await terminal.project(config)).settings
    if (dataDir === undefined && storage === undefined)
      throw new Error('This configuration keeps its queues in memory. Set dataDir to keep them on disk.')
    const linesOf = async (store: QueueReader) =>
      queue === undefined
        ? reportLines(store, json, terminal.paint)
        : peekLines(store, queue, json, limitOf(limit))
    const lines =
      storage === undefined
        ? await linesOf(filesOf(dataDir!))
        : await withEngineStore(storage, terminal.printError, linesOf)
    for (const line of lines) terminal.print(line)
    return 0
  },
})

function limitOf(text = '10'): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new UsageError(`--limit ${text}: expected a whole number above 0.`)
  return Number(text)
}

type QueueReader = Pick<OwnQueueStore, 'reports' | 'peek'>

/** Reads the files of a platform, even if it is not running. */
function filesOf(dataDir: string): QueueReader {
  return {
    reports: async () => read(dataDir, database => queueReports(database, systemClock.now())) ?? [],
    peek: async (queue, limit) => read(dataDir, database => peekMessages(database, queue, limit)),
  }
}

async function reportLines(store: QueueReader, json: boolean, paint: Paint): Promise<readonly string[]> {
  const reports = await store.reports()
  if (json) return reports.map(report => JSON.stringify(report))
  return [reports.length === 0 ? 'There are no queues yet.' : table(reports, paint)]
}

async function peekLines(
  store: QueueReader,
  queue: string,
  json: boolean,
  limit: number,
): Promise<readonly string[]> {
  const messages = await store.peek(queue, limit)
  if (messages === undefined) {
    const names = await store.reports()
    throw new Error(
      unknownName(
        'queue',
        queue,
        names.map(({ name }) => name),
      ),
    )
  }
  if (json) return messages.map(message => JSON.stringify(message))
  if (messages.length === 0) return [`The queue ${queue} has no messages.`]
  return messages.map(describe)
}

/** Describes a message in one line, with its id, age, receive count, source and the beginning of its body. */
function describe({ messageId, sentAt, receiveCount, group, deadLetterSource, body }: PeekedMessage): string {
  const received = `received ${receiveCount} ${receiveCount === 1 ? 'time' : 'times'}`
  const facts = [
    `sent ${age(systemClock.now() - sentAt)} ago`,
    received,
    ...(group === undefined ? [] : [`group ${group}`]),
    ...(deadLetterSource === undefined ? [] : [`from ${deadLetterSource}`]),
  ]
  const text = JSON.stringify(body.length > bodyLimit ? `${body.slice(0, bodyLimit)}…` : body)
  return `${messageId}  ${facts.join(', ')}  ${text}`
}

/** The maximum number of characters of a body that a line shows. `--json` prints whole bodies. */
const bodyLimit = 200

function read<T>(dataDir: string, work: (database: DatabaseSync) => T): T | undefined {
  const database = openForReading(dataDir, 'queues')
  if (database === undefined) return undefined
  try {
    return work(database)
  } finally {
    database.close()
  }
}

function table(reports: readonly QueueReport[], paint: Paint): string {
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
  const [heads = '', ...lines] = rows.map(row =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  '),
  )
  return [paint('bold', heads), ...lines].join('\n')
}

function age(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000)
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)} h` : `${Math.floor(seconds / 86_400)} d`
}
