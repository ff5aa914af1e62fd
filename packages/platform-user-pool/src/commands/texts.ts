import {
  configOption,
  defineCommand,
  printable,
  printableJson,
  refuseOperands,
  table,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { poolNamed, runningPools } from './running-pools.ts'

interface WireMessage {
  readonly To: string
  readonly Occasion: string
  readonly State: string
  readonly Text?: string
}

/** For each state of a message, what is printed when its text is no longer stored. */
const missing: Readonly<Record<string, string>> = { kept: '(ended)', sent: '(not kept after sending)' }

/** Prints the stored messages of a pool. */
export const texts = defineCommand({
  name: 'texts',
  summary: 'Show the messages that a user pool sent, with their codes',
  usage: 'POOL [--config FILE] [--json]',
  details:
    'Asks the running platform. The latest comes first. The text of a message that was sent is not kept: read e-mail in its mailbox, such as with signalbox mail show.',
  examples: [['signalbox texts staff', 'a line for each message']],
  options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object for each' } },
  async run({ config, json = false }, operands, terminal) {
    const [name] = operands
    if (name === undefined) throw new UsageError('texts needs a pool.')
    refuseOperands('texts', operands, 1)
    const running = await runningPools(terminal, config)
    const answer = await running.call('ListMessages', { UserPoolId: poolNamed(running, name).id })
    const messages = answer.Messages as readonly WireMessage[]
    if (json) for (const message of messages) terminal.print(printableJson(message))
    else if (messages.length === 0) terminal.print('Nothing was sent yet.')
    else
      terminal.print(
        table(
          ['to', 'occasion', 'state', 'text'],
          messages.map(({ To, Occasion, State, Text = missing[State] ?? '-' }) => [
            printable(To),
            Occasion,
            State,
            printable(Text),
          ]),
          terminal.paint,
        ),
      )
    return 0
  },
})
