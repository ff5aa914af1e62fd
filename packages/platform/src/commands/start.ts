import { configOption, defineCommand, refuseOperands } from '@signalbox/platform-runtime/command-line'
import { templateOptions } from '../template/template-options.ts'

/** Runs the platform as a service. */
export const start = defineCommand({
  name: 'start',
  summary: 'Run the platform',
  usage: '[--console] [--config FILE] [--template FILE [--parameter NAME=VALUE]…] [--json]',
  details: `The same as dev, but without watching files. At SIGTERM, SIGINT or SIGHUP it accepts no more events, waits for
running invocations within the grace period, and exits with code 0. A second signal stops it at once. It goes on without
output when the reader of its output goes away, or the disk of its log is full.
It refuses a configuration that lets every program on this machine, and so every client of a proxy on it, use queues,
functions, mails or the operations of administrators: such listeners need access, or say open: true.
The console is off unless --console or the configuration (control.console) turns it on. A link opens it; with access,
visitors sign in with a key instead.
With --template, functions, queues, user pools and load balancers come from a template of SAM, CloudFormation, CDK or Terraform.
--config then adds what templates don't have, such as access and storage.`,
  examples: [
    ['signalbox start', 'runs the configuration of this folder'],
    ['signalbox start --config /srv/shop/signalbox.config.ts --json', 'as a service, with logs for programs'],
    [
      'signalbox start --template template.yaml --config production.config.ts',
      'runs a template with the access and storage of a configuration',
    ],
  ],
  options: {
    console: { type: 'boolean', help: 'serve the console at the control address' },
    config: configOption,
    ...templateOptions,
    json: { type: 'boolean', help: 'print one JSON object a line' },
  },
  async run(values, operands, terminal) {
    refuseOperands('start', operands)
    const { runPlatform } = await import('./run-platform.ts')
    return runPlatform({ ...values, watch: false }, terminal)
  },
})
