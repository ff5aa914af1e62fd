import { configOption, defineCommand, refuseOperands } from '@signalbox/platform-runtime/command-line'

/** Runs the platform for development. */
export const dev = defineCommand({
  name: 'dev',
  summary: 'Run the platform, and reload functions when files change',
  usage: '[--unmasked] [--inspect [FUNCTION…]] [--config FILE] [--json]',
  details: `Prints the URL of each source, then a line for each invocation with the output of the function. A saved file takes
effect with the next invocation. Functions run with NODE_ENV=development, unless it is set already: errors and common
mistakes are then described in full. Passwords, codes and other secrets in the output are masked; with --unmasked they are
printed here, and still masked in the invocation log.
With --inspect, debuggers can attach to functions, or to those that are named. Each gets a port on this machine, from
9229 on, that stays the same when code changes. It runs one event at a time, and while a debugger is attached, its
time-out doesn't apply.`,
  examples: [
    ['signalbox dev', 'runs the configuration of this folder'],
    ['signalbox dev --unmasked', 'shows the one-time codes that functions log'],
    [
      'signalbox dev --inspect shop',
      'prints the port at which VS Code or Chrome can debug the function shop',
    ],
  ],
  options: {
    unmasked: { type: 'boolean', help: 'print the output of functions with its secrets' },
    inspect: { type: 'boolean', value: '[FUNCTION…]', help: 'let debuggers attach to functions' },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object a line' },
  },
  async run({ inspect: inspects = false, ...values }, operands, terminal) {
    if (!inspects) refuseOperands('dev', operands)
    const inspect = inspects && (operands.length === 0 || operands)
    const { runPlatform } = await import('./run-platform.ts')
    return runPlatform({ ...values, ...(inspect && { inspect }), watch: true }, terminal)
  },
})
