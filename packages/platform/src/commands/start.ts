import { configOption, defineCommand, refuseOperands } from '@signalbox/platform-runtime/command-line'

/** Runs the platform as a service. */
export const start = defineCommand({
  name: 'start',
  summary: 'Run the platform',
  usage: '[--config FILE] [--json]',
  details: `The same as dev, but files are not watched. SIGTERM and SIGINT stop taking events in, let what runs finish
within the grace period, and end with exit code 0; a second signal ends it at once.`,
  examples: [
    ['signalbox start', 'runs what signalbox.config.ts in this folder describes'],
    ['signalbox start --config /srv/shop/signalbox.config.ts --json', 'as a service, with logs for programs'],
  ],
  options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object a line' } },
  async run(values, operands, terminal) {
    refuseOperands('start', operands)
    const { runBox } = await import('./run-box.ts')
    return runBox({ ...values, watch: false }, terminal)
  },
})
