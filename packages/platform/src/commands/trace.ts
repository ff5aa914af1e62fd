import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import {
  configOption,
  defineCommand,
  type Paint,
  printable,
  printableJson,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import {
  type InvocationLogReader,
  readChain,
  type TraceStep,
  traceOf,
} from '@signalbox/platform-runtime/invocation-log'
import type { PlatformFamilies } from '@signalbox/platform-runtime/platform'
import { result, subject } from './invocation-line.ts'

/** Shows what an invocation led to, and what led to it. */
export const trace = defineCommand({
  name: 'trace',
  summary: 'Show the chain of invocations to which one belongs',
  usage: 'REQUEST_ID [--config FILE] [--json]',
  details:
    'An HTTP request, the messages that its function sends, and what follows from them, with the time from the first start, the duration and the result of each. A number such as #12, which `signalbox log` shows, also selects an invocation.',
  examples: [
    [
      'signalbox trace 7ab4d4b9-8d71-4f6d-ba3f-d1f84fcdbd20',
      'the chain of the invocation with this request id',
    ],
    ['signalbox trace 12', 'the chain of invocation 12'],
  ],
  options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object for each' } },
  async run({ config, json = false }, operands, terminal) {
    const [operand] = operands
    if (operand === undefined)
      throw new UsageError('trace needs a request id, or the number of an invocation.')
    refuseOperands('trace', operands, 1)
    const log = await (await terminal.project(config)).invocationLog()
    const entry = log && (await entryOf(log, operand))
    if (log === undefined || entry === undefined) {
      await log?.close()
      throw new Error(`The invocation log has no entry with the request id ${JSON.stringify(operand)}.`)
    }
    const steps = await readChain(log, entry)
    await log.close()
    if (json) {
      for (const step of steps) terminal.print(printableJson(step))
      return 0
    }
    const families = await terminal.families()
    const took = Math.max(...steps.map(step => step.offset + step.entry.duration))
    const count = `${steps.length} ${steps.length === 1 ? 'invocation' : 'invocations'}`
    terminal.print(`trace ${traceOf(entry)}: ${count} in ${time(took)}`)
    const widths = {
      offset: widest(steps, each => each.offset),
      duration: widest(steps, each => each.entry.duration),
    }
    for (const step of steps)
      terminal.print(line(step, step.entry.id === entry.id, widths, families, terminal.paint))
    return 0
  },
})

async function entryOf(log: InvocationLogReader, operand: string): Promise<InvocationLogEntry | undefined> {
  const [, number] = /^#?(\d{1,15})$/.exec(operand) ?? []
  if (number !== undefined) return log.get(Number(number))
  for (let before: number | undefined; ; ) {
    const page = await log.search({ requestId: operand, last: 1, before })
    if (page.entries.length > 0 || page.before === undefined) return page.entries[0]
    before = page.before
  }
}

interface Widths {
  readonly offset: number
  readonly duration: number
}

function line(
  { entry, depth, offset, waited }: TraceStep,
  isAsked: boolean,
  widths: Widths,
  families: PlatformFamilies,
  paint: Paint,
): string {
  const { id, attempt, source, functionName, duration } = entry
  return [
    isAsked ? '▸' : ' ',
    paint('dim', `+${time(offset)}`.padStart(widths.offset + 1)),
    time(duration).padStart(widths.duration),
    ' '.repeat(2 * depth) + printable(source),
    '→',
    paint('cyan', functionName),
    printable(subject(entry, families)),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
    '→',
    result(entry, paint),
    ...(waited === undefined ? [] : [paint('dim', `after ${time(waited)}`)]),
    paint('dim', `#${id}`),
  ].join(' ')
}

function widest(steps: readonly TraceStep[], of: (step: TraceStep) => number): number {
  return Math.max(...steps.map(step => time(of(step)).length))
}

/** Returns a duration in words, such as `12 ms` and `1.5 s`. */
function time(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${(ms / 60_000).toFixed(1)} min`
}
