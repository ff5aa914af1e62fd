import { unknownName } from '@signalbox/platform-runtime'
import {
  configOption,
  dateAndTime,
  defineCommand,
  refuseOperands,
  table,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { type ExecutionStatus, type ExecutionSummary, executionStatuses } from '../store/execution.ts'
import { projectOf } from './with-executions.ts'

/** The command `executions`, which lists the executions of durable functions. */
export const executions = defineCommand({
  name: 'executions',
  summary: 'List the executions of durable functions, the newest first',
  usage: '[FUNCTION] [--status STATUS]… [--limit N] [--config FILE] [--json]',
  details: 'Reads the storage of the platform, which need not be running.',
  examples: [
    ['signalbox executions', 'the newest executions of every durable function'],
    ['signalbox executions order --status RUNNING', 'those of one function that have not ended'],
  ],
  options: {
    status: {
      type: 'string',
      multiple: true,
      value: 'STATUS',
      help: `only executions with this status: ${executionStatuses.join(', ')}`,
    },
    limit: { type: 'string', value: 'N', help: 'executions of each function to show; default 20' },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object for each, without inputs and results' },
  },
  async run({ status, limit = '20', config, json = false }, operands, terminal) {
    const [name] = operands
    refuseOperands('executions', operands, 1)
    if (!/^[1-9]\d{0,3}$/.test(limit))
      throw new UsageError(`--limit ${limit}: expected a whole number above 0.`)
    const statuses = status?.map(statusOf)
    const { functions, read } = await projectOf(config, terminal)
    if (name !== undefined && !functions.includes(name))
      throw new UsageError(unknownName('durable function', name, functions))
    const found = await read(async reader => {
      const all = await Promise.all(
        (name === undefined ? functions : [name]).map(functionName =>
          reader.list({ functionName, statuses, newestFirst: true, after: undefined, limit: Number(limit) }),
        ),
      )
      return all.flat().sort((one, other) => other.startedAt - one.startedAt)
    })
    if (json) for (const each of found) terminal.print(JSON.stringify(summaryOf(each)))
    else if (found.length === 0) terminal.print('There are no such executions.')
    else terminal.print(table(heads, found.map(rowOf), terminal.paint))
    return 0
  },
})

function statusOf(text: string): ExecutionStatus {
  const found = executionStatuses.find(each => each === text.toUpperCase())
  if (found === undefined)
    throw new UsageError(`--status ${text}: expected one of ${executionStatuses.join(', ')}.`)
  return found
}

const heads = ['id', 'function', 'name', 'status', 'started', 'ended']

const rowOf = ({
  id,
  functionName,
  name,
  status,
  startedAt,
  endedAt,
}: ExecutionSummary): readonly string[] => [
  ...[id, functionName, name === id ? '-' : name, status, dateAndTime(startedAt)],
  endedAt === undefined ? '-' : dateAndTime(endedAt),
]

/** Returns what an execution says of itself, without its input, its result and its error. */
export const summaryOf = ({ id, functionName, name, status, startedAt, endedAt }: ExecutionSummary) => ({
  ...{ id, function: functionName, name, status, startedAt: new Date(startedAt).toISOString() },
  ...(endedAt !== undefined && { endedAt: new Date(endedAt).toISOString() }),
})
