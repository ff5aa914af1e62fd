import { setTimeout as delay } from 'node:timers/promises'
import type { InvocationLogEntry } from '@signalbox/platform-runtime'
import { unknownName } from '@signalbox/platform-runtime'
import {
  configOption,
  defineCommand,
  printableJson,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { invocationLine } from './invocation-line.ts'

/** Milliseconds between two searches for new log entries. */
const lookAgain = 200

/** Shows the invocation log. */
export const log = defineCommand({
  name: 'log',
  summary: 'Show the invocation log',
  usage: '[FUNCTION] [--last N] [--follow] [--config FILE] [--json]',
  details: 'With --json each line is an object with event, payload, verdict and logs. Secrets are masked.',
  examples: [
    ['signalbox log --last 20', 'the last twenty invocations'],
    ['signalbox log orders --follow', 'the invocations of one function, and new ones as they come'],
    ['signalbox log --json | tail -1', 'the last invocation with all its fields'],
  ],
  options: {
    last: { type: 'string', short: 'n', value: 'N', help: 'the number of entries (default: 100)' },
    follow: { type: 'boolean', short: 'f', help: 'print new entries as they come, until Ctrl-C' },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object for each' },
  },
  async run({ last = '100', follow = false, config, json = false }, operands, terminal) {
    refuseOperands('log', operands, 1)
    const [functionName] = operands
    if (!/^\d{1,9}$/.test(last))
      throw new UsageError(`--last needs a number from 0 to 999999999, not ${JSON.stringify(last)}.`)
    const only = functionName === undefined ? {} : { functionName }
    const families = await terminal.families()
    const show = (entry: InvocationLogEntry) =>
      terminal.print(json ? printableJson(entry) : invocationLine(entry, families, terminal.paint))

    const project = await terminal.project(config)
    let invocationLog = await project.invocationLog()
    let seen = 0
    // Reads one entry even for `--last 0`, because its id marks the start of new entries.
    for (const entry of (await invocationLog?.list({ ...only, last: Number(last) || 1 })) ?? []) {
      if (Number(last) > 0) show(entry)
      seen = entry.id
    }
    if (seen === 0) {
      const { functions = {} } = project.config
      // A function that was removed from the configuration may still have entries.
      if (functionName !== undefined && !Object.hasOwn(functions, functionName)) {
        await invocationLog?.close()
        throw new Error(unknownName('function', functionName, Object.keys(functions)))
      }
      if (!json && !follow) terminal.print('Nothing has been invoked yet.')
    }
    while (follow && !terminal.stop.aborted) {
      await delay(lookAgain, undefined, { signal: terminal.stop }).catch(() => {})
      invocationLog ??= await project.invocationLog()
      for (const entry of (await invocationLog?.list({ ...only, after: seen, last: 1_000_000 })) ?? []) {
        show(entry)
        seen = entry.id
      }
    }
    await invocationLog?.close()
    return 0
  },
})
