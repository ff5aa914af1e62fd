import { maskText } from '@signalbox/platform-runtime'
import {
  columns,
  configOption,
  dateAndTime,
  defineCommand,
  refuseOperands,
  truncated,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { executionIdOf } from '../executions/execution-arn.ts'
import { type Execution, executionLimits, type HistoryEvent } from '../store/execution.ts'
import { summaryOf } from './executions.ts'
import { type Project, projectOf } from './with-executions.ts'

/** The maximum number of characters of an input, a result or an error that a line shows. */
const longestValue = 200

/** The events that are read at once. */
const page = { limit: 500, bytes: executionLimits.page, newestFirst: false }

/** The command `execution`, which shows one execution, stops it, or ends a callback. */
export const execution = defineCommand({
  name: 'execution',
  summary: 'Show or stop an execution, or end a callback of one',
  usage:
    'show ID | stop ID [--error TEXT] | callback ID [--result TEXT | --error TEXT | --heartbeat] [--config FILE] [--json]',
  details: `ID is the id of an execution, its name or its ARN, or the id of a callback. show prints the history, in which secrets are
masked. A callback without --result and without --error ends with no result. stop and callback reach the running platform, or change
its storage.`,
  examples: [
    ['signalbox execution show order-17', 'what an execution has done so far, and what it waits for'],
    ['signalbox execution stop order-17 --error "no longer wanted"', 'ends an execution'],
    ['signalbox execution callback WyI3… --result paid', 'gives an execution the result that it waits for'],
  ],
  options: {
    result: { type: 'string', value: 'TEXT', help: 'the result of the callback, as the function reads it' },
    error: { type: 'string', value: 'TEXT', help: 'the message of the error with which it ends' },
    heartbeat: { type: 'boolean', help: 'only prove that the callback is still worked on' },
    config: configOption,
    json: { type: 'boolean', help: 'show: print one JSON object for each event' },
  },
  async run({ result, error, heartbeat = false, config, json = false }, operands, terminal) {
    const [verb, id] = operands
    if (verb !== 'show' && verb !== 'stop' && verb !== 'callback')
      throw new UsageError('execution needs show, stop or callback.')
    if (id === undefined) throw new UsageError(`execution ${verb} needs an id.`)
    refuseOperands('execution', operands, 2)
    if ([result !== undefined, error !== undefined, heartbeat].filter(Boolean).length > 1)
      throw new UsageError('execution callback takes one of --result, --error and --heartbeat.')
    if (verb !== 'callback' && (result !== undefined || heartbeat))
      throw new UsageError(`execution ${verb} takes neither --result nor --heartbeat.`)
    const project = await projectOf(config, terminal)
    const failure = error === undefined ? undefined : { ErrorMessage: error }
    if (verb === 'callback') {
      const how = heartbeat ? 'heartbeat' : failure === undefined ? { payload: result } : { error: failure }
      await project.change(changes => changes.endCallback(id, how))
      terminal.print(heartbeat ? 'The callback has had a heartbeat.' : 'The callback has ended.')
      return 0
    }
    const found = await find(project, id)
    if (verb === 'show') {
      for (const line of await linesOf(project, found, json)) terminal.print(line)
      return 0
    }
    if (found.status !== 'RUNNING') {
      terminal.print(`The execution has ended before: ${found.status}.`)
      return 1
    }
    await project.change(changes => changes.stop(found, failure))
    terminal.print('The execution is stopped.')
    return 0
  },
})

/** @throws UsageError when there is no such execution */
async function find({ functions, read }: Project, text: string): Promise<Execution> {
  const found = await read(async reader => {
    const byId = await reader.read(executionIdOf(text) ?? text)
    if (byId !== undefined) return [byId]
    const named = await Promise.all(
      functions.map(functionName =>
        reader.list({ functionName, name: text, newestFirst: true, after: undefined, limit: 1 }),
      ),
    )
    const all = await Promise.all(named.flat().map(({ id }) => reader.read(id)))
    return all.filter(each => each !== undefined)
  })
  if (found.length > 1)
    throw new UsageError(
      `Several functions have an execution ${text}. Use its id: ${found.map(({ id, functionName }) => `${id} (${functionName})`).join(', ')}.`,
    )
  if (found[0] === undefined)
    throw new UsageError(`There is no execution ${text}. signalbox executions lists them.`)
  return found[0]
}

async function linesOf({ read }: Project, shown: Execution, json: boolean): Promise<readonly string[]> {
  const events = await read(async reader => {
    const all: HistoryEvent[] = []
    for (;;) {
      const after = all.at(-1)?.EventId
      const { events, hasMore } = await reader.history(shown.id, { after, ...page })
      all.push(...events)
      if (!hasMore) return all
    }
  })
  if (json)
    return [JSON.stringify(summaryOf(shown)), ...events.map(each => maskText(JSON.stringify(each)).text)]
  const { functionName, name, status, retryAt } = shown
  const rows = events.map(event => [
    String(event.EventId),
    dateAndTime(event.EventTimestamp),
    event.EventType,
    event.Name ?? '',
    describe(event),
  ])
  const next =
    status === 'RUNNING' && retryAt !== undefined
      ? [`The function runs again at ${dateAndTime(retryAt)}.`]
      : []
  const { changes = 0, changedAt } = shown.code ?? {}
  const changed =
    changedAt === undefined
      ? []
      : [
          `The code of ${functionName} has changed ${changes === 1 ? 'once' : `${changes} times`} since it began, last at ${dateAndTime(changedAt)}.`,
        ]
  return [`${functionName} ${name}: ${status}`, columns(rows), ...changed, ...next]
}

/** Describes an event by its details, in one line. */
function describe(event: HistoryEvent): string {
  const details = (event[`${event.EventType}Details`] ?? {}) as {
    readonly [name: string]: { readonly Payload?: unknown } | number | string | undefined
  }
  const parts = Object.entries(details).flatMap(([name, value]) => {
    if (name === 'Input' || name === 'Result' || name === 'Error') {
      const { Payload } = value as { readonly Payload?: unknown }
      if (Payload === undefined) return []
      const text = maskText(typeof Payload === 'string' ? Payload : JSON.stringify(Payload)).text
      return [`${name.toLowerCase()} ${truncated(text.replaceAll(/\s+/g, ' '), longestValue)}`]
    }
    if (name === 'ScheduledEndTimestamp') return [`until ${dateAndTime(Number(value))}`]
    if (name === 'CallbackId') return [`callback ${String(value)}`]
    if (name === 'FunctionName') return [`function ${String(value)}`]
    if (name === 'RetryDetails') {
      const { CurrentAttempt, NextAttemptDelaySeconds } = value as {
        readonly [name: string]: number | undefined
      }
      const again = NextAttemptDelaySeconds === undefined ? '' : `, again in ${NextAttemptDelaySeconds} s`
      return [`attempt ${CurrentAttempt}${again}`]
    }
    return []
  })
  return parts.join(', ')
}
