import type { AccessLogEntry } from '@signalbox/platform-runtime/access'
import {
  columns,
  configOption,
  dateAndTime,
  defineCommand,
  printable,
  printableJson,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'

/** Shows who did what to which resource. */
export const accessLog = defineCommand({
  name: 'access log',
  summary: 'Show who did what to which resource',
  usage: '[IDENTITY] [--refused] [--last N] [--config FILE] [--json]',
  details: 'The same operation of an identity within a minute is one line, with its count.',
  examples: [
    ['signalbox access log shop --last 20', 'the last things that shop did'],
    ['signalbox access log --refused', 'wrong keys, and missing rights'],
  ],
  options: {
    refused: { type: 'boolean', help: 'only what was refused' },
    last: { type: 'string', short: 'n', value: 'N', help: 'the number of entries (default: 100)' },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object for each' },
  },
  async run({ refused = false, last = '100', config, json = false }, operands, terminal) {
    refuseOperands('access log', operands, 1)
    if (!/^\d{1,9}$/.test(last)) throw new UsageError('--last needs a number.')
    const [identity] = operands
    const project = await terminal.project(config)
    const entries = await project.accessLog({
      ...(identity !== undefined && { identity }),
      refused,
      last: Number(last),
    })
    if (json) for (const entry of entries) terminal.print(printableJson(entry))
    else if (entries.length > 0) terminal.print(columns(entries.map(row)))
    else terminal.print('Nothing was logged yet.')
    return 0
  },
})

function row({ last, identity, source, operation, resource, result, address, count }: AccessLogEntry) {
  const name = identity === undefined ? 'unknown' : identity
  const cells = [
    dateAndTime(last),
    name,
    source,
    operation || '-',
    resource ?? '-',
    result,
    address,
    count === 1 ? '' : `${count} times`,
  ]
  return cells.map(printable)
}
