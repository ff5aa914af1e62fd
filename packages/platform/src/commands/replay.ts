import { isEventOmitted } from '@signalbox/platform-runtime'
import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'

/** Sends a logged event again. */
export const replay = defineCommand({
  name: 'replay',
  summary: 'Send a logged event again, to the current code of its function',
  usage: 'ID [--config FILE] [--json]',
  details: 'Secrets were masked when the event was logged, and stay masked when it is sent again.',
  examples: [['signalbox replay 12', 'sends the event of invocation 12 again']],
  options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object' } },
  async run({ config, json = false }, operands, terminal) {
    const [operand] = operands
    const id = Number(operand?.replace(/^#/, ''))
    if (!Number.isInteger(id) || id < 1) throw new UsageError('replay needs the number of an invocation.')
    refuseOperands('replay', operands, 1)
    const log = await (await terminal.project(config)).invocationLog()
    const entry = await log?.get(id)
    await log?.close()
    if (entry === undefined) throw new Error(`The invocation log has no entry #${id}.`)
    if (isEventOmitted(entry.event))
      throw new Error(`The invocation log did not keep the event of #${id}, because too many came at once.`)
    if (entry.masked) terminal.printError('Some values of this event are masked.')
    const options = { json, ...(config === undefined ? {} : { config }) }
    const { invokeFunction } = await import('./invoke-function.ts')
    return invokeFunction(entry.functionName, JSON.parse(entry.event), `replay of #${id}`, options, terminal)
  },
})
