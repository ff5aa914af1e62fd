import { configOption, defineCommand, refuseOperands } from '@signalbox/platform-runtime/command-line'

/** Runs the platform for somebody who is writing the functions. */
export const dev = defineCommand({
  name: 'dev',
  summary: 'Run the platform, and reload functions when files change',
  usage: '[--config FILE] [--json]',
  details: `Prints where each source takes events in, then a line for every invocation, with what the function wrote.
A saved file counts from the next invocation on; what is running finishes on the code it began with. Functions
run with NODE_ENV=development, unless it is set already: errors and easy mistakes are then told in full.`,
  examples: [['signalbox dev', 'runs what signalbox.config.ts in this folder describes']],
  options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object a line' } },
  async run(values, operands, terminal) {
    refuseOperands('dev', operands)
    const { runBox } = await import('./run-box.ts')
    return runBox({ ...values, watch: true }, terminal)
  },
})
