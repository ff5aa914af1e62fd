import type { Paint } from '@signalbox/platform-runtime/command-line'
import {
  configOption,
  dateAndTime,
  defineCommand,
  printable,
  printableJson,
  refuseOperands,
  size,
} from '@signalbox/platform-runtime/command-line'
import type { MailState, RecipientReport } from '../store/mail-store.ts'
import { mailFiles } from './mail-files.ts'

/** The command `mail status`, which shows the states of mails. */
export const mailStatus = defineCommand({
  name: 'mail status',
  summary: 'Show what became of each mail for each recipient, and why',
  usage: '[--config FILE] [--json]',
  details: 'Reads the files of the platform, whether it is running or not. The newest mail comes last.',
  examples: [
    ['signalbox mail status', 'prints a line for each mail, and below it a line for each recipient'],
    ['signalbox mail status --json | tail -1', 'prints the newest mail, for programs'],
  ],
  options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object for each mail' } },
  async run({ config, json = false }, operands, terminal) {
    refuseOperands('mail status', operands)
    const states = (await (await mailFiles(config, terminal)).states()).toReversed()
    for (const state of states) terminal.print(json ? printableJson(state) : lines(state, terminal.paint))
    if (states.length === 0 && !json) terminal.print('There are no mails.')
    return 0
  },
})

function lines(state: MailState, paint: Paint): string {
  const { id, receivedAt, from, subject, report, held, recipients } = state
  const head = [
    paint('dim', dateAndTime(receivedAt)),
    paint('cyan', id),
    report ? 'delivery report' : `from ${from === '' ? 'the null sender' : printable(from)}`,
    JSON.stringify(printable(subject)),
    paint('dim', size(state.size)),
    ...(held ? [paint('yellow', 'held')] : []),
  ].join(' ')
  const width = Math.max(0, ...recipients.map(({ address }) => printable(address).length))
  return [head, ...recipients.map(each => `    ${line(each, width, paint)}`)].join('\n')
}

const colors = {
  undecided: 'yellow',
  delivering: 'yellow',
  delivered: 'green',
  relayed: 'green',
  dropped: 'dim',
  bounced: 'red',
  failed: 'red',
} as const satisfies { readonly [State in RecipientReport['state']]: Parameters<Paint>[0] }

function line(
  { address, state, why, attempts, nextAt }: RecipientReport,
  width: number,
  paint: Paint,
): string {
  const next = nextAt === undefined ? [] : [`attempt ${attempts + 1} at ${dateAndTime(nextAt)}`]
  return [
    printable(address).padEnd(width),
    paint(colors[state], state.padEnd('delivering'.length)),
    [printable(why), ...next].join('; '),
  ].join(' ')
}
