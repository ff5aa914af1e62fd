import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Terminal } from '@signalbox/platform-runtime/command-line'
import {
  configOption,
  defineCommand,
  printable,
  refuseOperands,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { runningMail } from './running-mail.ts'

/** Sends one mail. */
export const mail = defineCommand({
  name: 'mail',
  summary: 'Send a mail to the box that is running, over SMTP',
  usage: '--from ADDRESS --to ADDRESS… [--subject S] [--text T] [FILE] [--config FILE]',
  details: `FILE is a whole mail with its head, - for the standard input; without one a mail is made of the subject and the
text. An empty --from is the null sender, whom nobody answers. Prints the id of the mail.

Queued mail: signalbox mail flush, signalbox mail hold, signalbox mail release, signalbox mail delete.

Exit codes: 0 taken for everybody; 1 refused, for some or all, with the server's words; 2 it could not be sent.`,
  examples: [
    [
      'signalbox mail --from rita@partner.example --to ann@office.example --subject Hello',
      'sends a mail to one',
    ],
    ['signalbox mail --from a@x.example --to b@y.example --to c@y.example mail.eml', 'sends a file to two'],
    ['signalbox mail --from "" --to ann@office.example - < report.eml', 'sends what no one sent'],
  ],
  options: {
    from: { type: 'string', value: 'ADDRESS', help: 'who sends it' },
    to: { type: 'string', multiple: true, value: 'ADDRESS', help: 'who gets it; may be given again' },
    subject: { type: 'string', short: 's', value: 'S', help: 'of a mail that is made here' },
    text: { type: 'string', short: 't', value: 'T', help: 'the same: what it says' },
    config: configOption,
  },
  async run({ from, to = [], subject, text, config }, operands, terminal) {
    refuseOperands('mail', operands, 1)
    const [file] = operands
    if (from === undefined || to.length === 0) throw new UsageError('mail needs --from and --to.')
    const { isAddress } = await import('@signalbox/mail-flow/contract')
    for (const [option, address] of [['from', from], ...to.map(each => ['to', each])] as const)
      if (!isAddress(address!) && !(option === 'from' && address === ''))
        throw new UsageError(
          `--${option} ${JSON.stringify(address)}: expected ${option === 'to' ? 'one address; --to may be given again' : 'an address'}.`,
        )
    if (file !== undefined && (subject ?? text) !== undefined)
      throw new UsageError('A file has its own subject and text.')
    const content =
      file === undefined ? { from, to: [...to], subject, text } : { raw: await rawMail(file, terminal) }
    const url = await runningMail(config, terminal)
    const { sendMail } = await import('./send-mail.ts')
    const { id, refused } = await sendMail(url, { from, to: [...to] }, content)
    for (const { recipient, words } of refused)
      terminal.complain(printable(recipient === undefined ? words : `${recipient}: ${words}`))
    if (id !== undefined) terminal.print(printable(id))
    return refused.length === 0 ? 0 : 1
  },
})

async function rawMail(file: string, { cwd }: Terminal): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin)
  try {
    return await readFile(resolve(cwd, file))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(`${file} cannot be sent: ${code === 'ENOENT' ? 'there is no such file' : message}.`)
  }
}
