import { defineCommand } from '../command-line/command.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { sampleEvent, sampleNames } from '../samples/sample-event.ts'
import { refuseOperands } from './operands.ts'

/** Prints a valid event. */
export const sample = defineCommand({
  name: 'sample',
  summary: 'Print a valid event',
  usage: 'FAMILY|TRIGGER [--list]',
  examples: [
    ['signalbox sample queue > event.json', 'two messages of a standard queue'],
    ['signalbox sample PreSignUp_SignUp', 'what a function gets before somebody signs up'],
    ['signalbox sample --list', 'every name there is'],
  ],
  options: { list: { type: 'boolean', help: 'print the names of all samples' } },
  async run({ list = false }, operands, terminal) {
    if (list) {
      terminal.print(sampleNames.join('\n'))
      return 0
    }
    const [name] = operands
    if (name === undefined) throw new UsageError('sample needs to know of what.')
    refuseOperands('sample', operands, 1)
    terminal.print(JSON.stringify(await sampleEvent(name), null, 2))
    return 0
  },
})
