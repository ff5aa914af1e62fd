import { defineCommand, refuseOperands, UsageError } from '@signalbox/platform-runtime/command-line'
import { dialectOption, wordsOf } from './dialect-option.ts'

/** Prints a valid event. */
export const sample = defineCommand({
  name: 'sample',
  summary: 'Print a valid event',
  usage: 'FAMILY|TRIGGER [--list] [--dialect NAME]',
  examples: [
    ['signalbox sample queue > event.json', 'two messages of a standard queue'],
    ['signalbox sample PreSignUp_SignUp', 'the event before a user signs up'],
    ['signalbox sample --dialect aws queue', 'the same event as AWS sends it'],
    ['signalbox sample --list', 'prints all names'],
  ],
  options: {
    list: { type: 'boolean', help: 'print the names of all samples' },
    dialect: dialectOption,
  },
  async run({ list = false, dialect }, operands, terminal) {
    const { samplesOf, sampleEvent } = await import('./sample-event.ts')
    const samples = samplesOf(await terminal.families())
    if (list) {
      refuseOperands('sample --list', operands)
      terminal.print(Object.keys(samples).join('\n'))
      return 0
    }
    const [name] = operands
    if (name === undefined) throw new UsageError('sample needs a name. --list prints all names.')
    refuseOperands('sample', operands, 1)
    const words = wordsOf(dialect, terminal.dialects)
    terminal.print(JSON.stringify(words.event(await sampleEvent(name, samples)), null, 2))
    return 0
  },
})
