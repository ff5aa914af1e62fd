import { isEventOmitted } from '@signalbox/platform-runtime'
import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'

/** Sends an event of the invocation log again. */
export const replay = defineCommand({
  name: 'replay',
  summary: 'Send an event of the invocation log again, to the function as it is now',
  usage: 'ID [--config FILE] [--json]',
  details:
    'Secrets were masked when the event went into the invocation log, and stay masked when it is sent again.',
  examples: [['signalbox replay 12', 'sends the event of invocation #12']],
  options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object' } },
  async run({ config, json = false }, operands, terminal) {
    const [given] = operands
    const id = Number(given?.replace(/^#/, ''))
    if (!Number.isInteger(id) || id < 1) throw new UsageError('replay needs the number of an invocation.')
    refuseOperands('replay', operands, 1)
    const log = await (await terminal.project(config)).invocationLog()
    const entry = await log?.get(id)
    await log?.close()
    if (entry === undefined) throw new Error(`There is no invocation #${id} in the invocation log.`)
    if (isEventOmitted(entry.event))
      throw new Error(`The invocation log has no event of #${id}: too much came at once to keep it.`)
    if (entry.masked) terminal.printError('Some values of this event are masked.')
    const options = { json, ...(config === undefined ? {} : { config }) }
    const { invokeFunction } = await import('./invoke-function.ts')
    return invokeFunction(entry.functionName, JSON.parse(entry.event), `replay of #${id}`, options, terminal)
  },
})
