import { configOption, defineCommand, refuseOperands } from '@signalbox/platform-runtime/command-line'

/** Runs the platform for development. */
export const dev = defineCommand({
  name: 'dev',
  summary: 'Run the platform, and reload functions when files change',
  usage: '[--unmasked] [--config FILE] [--json]',
  details: `Prints the URL of each source, then a line for each invocation with the output of the function. A saved file takes
effect with the next invocation. Functions run with NODE_ENV=development, unless it is set already: errors and common
mistakes are then described in full. Passwords, codes and other secrets in the output are masked; with --unmasked they are
printed here, and still masked in the invocation log.`,
  examples: [
    ['signalbox dev', 'runs the configuration of this folder'],
    ['signalbox dev --unmasked', 'shows the one-time codes that functions log'],
  ],
  options: {
    unmasked: { type: 'boolean', help: 'print the output of functions with its secrets' },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object a line' },
  },
  async run(values, operands, terminal) {
    refuseOperands('dev', operands)
    const { runPlatform } = await import('./run-platform.ts')
    return runPlatform({ ...values, watch: true }, terminal)
  },
})
