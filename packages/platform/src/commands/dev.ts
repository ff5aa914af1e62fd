import {
  configOption,
  defineCommand,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { templateOptions } from '../template/template-options.ts'

/** Runs the platform for development. */
export const dev = defineCommand({
  name: 'dev',
  summary: 'Run the platform, and reload functions when files change',
  usage:
    '[--unmasked] [--inspect [FUNCTION…]] [--clock manual] [--config FILE] [--template FILE [--parameter NAME=VALUE]…] [--json]',
  details: `Prints the URL of each source, then a line for each invocation with the output of the function. A saved file takes
effect with the next invocation. Functions run with NODE_ENV=development, unless it is set already: errors and common
mistakes are then described in full. Passwords, codes and other secrets in the output are masked; with --unmasked they are
printed here, and still masked in the invocation log.
With --inspect, debuggers can attach to functions, or to those that are named. Each gets a port on this machine, from
9229 on, that stays the same when code changes. It runs one event at a time, and while a debugger is attached, its
time-out doesn't apply.
With --clock manual, the platform's time stands still until a test moves it (POST /testing/clock of the control address,
which needs control: { testing: true }): retries, delays, codes, sessions and the exp of tokens wait for it. Time-outs of
functions, connections, signatures and certificates keep the machine's time, and so do the functions themselves.
With --template, functions and what calls them come from a template, and --config adds to it. What does not run here is
listed once.`,
  examples: [
    ['signalbox dev', 'runs the configuration of this folder'],
    ['signalbox dev --unmasked', 'shows the one-time codes that functions log'],
    [
      'signalbox dev --template template.yaml',
      'runs what a template of SAM or CloudFormation describes, and applies it again when it is saved',
    ],
    ['signalbox dev --template cdk.out', 'runs what CDK has synthesized'],
    [
      'signalbox dev --inspect shop',
      'prints the port at which VS Code or Chrome can debug the function shop',
    ],
    ['signalbox dev --clock manual', 'lets tests in any language move the time'],
  ],
  options: {
    clock: { type: 'string', value: 'manual', help: 'let the time stand still until a test moves it' },
    unmasked: { type: 'boolean', help: 'print the output of functions with its secrets' },
    inspect: { type: 'boolean', value: '[FUNCTION…]', help: 'let debuggers attach to functions' },
    config: configOption,
    ...templateOptions,
    json: { type: 'boolean', help: 'print one JSON object a line' },
  },
  async run({ inspect: inspects = false, clock, ...values }, operands, terminal) {
    if (!inspects) refuseOperands('dev', operands)
    if (clock !== undefined && clock !== 'manual')
      throw new UsageError(`--clock takes manual, and not ${JSON.stringify(clock)}.`)
    const inspect = inspects && (operands.length === 0 || operands)
    const { runPlatform } = await import('./run-platform.ts')
    return runPlatform(
      { ...values, ...(inspect && { inspect }), hasManualClock: clock === 'manual', watch: true },
      terminal,
    )
  },
})
