import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Terminal } from '@signalbox/platform-runtime/command-line'
import {
  configOption,
  defineCommand,
  printable,
  refuseOperands,
  sentence,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import { runningMail } from './running-mail.ts'

/** Sends one mail. */
export const mailSend = defineCommand({
  name: 'mail send',
  summary: 'Send a mail to the running platform, over SMTP',
  usage: '--from ADDRESS --to ADDRESS… [--subject S] [--text T] [FILE] [--config FILE]',
  details: `FILE is a whole mail with headers, or - for the standard input. Without FILE, the mail is made of the subject and
the text. An empty --from is the null sender. Prints the id of the mail.

Exit codes: 0 accepted for all recipients; 1 refused for some or all, with the server's reply; 2 not sent.`,
  examples: [
    [
      'signalbox mail send --from rita@partner.example --to ann@office.example --subject Hello',
      'sends a mail to one recipient',
    ],
    [
      'signalbox mail send --from a@x.example --to b@y.example --to c@y.example mail.eml',
      'sends a file to two recipients',
    ],
    [
      'signalbox mail send --from "" --to ann@office.example - < report.eml',
      'sends a mail with the null sender',
    ],
  ],
  options: {
    from: { type: 'string', value: 'ADDRESS', help: 'the sender' },
    to: { type: 'string', multiple: true, value: 'ADDRESS', help: 'a recipient; may be repeated' },
    subject: { type: 'string', short: 's', value: 'S', help: 'the subject, without FILE' },
    text: { type: 'string', short: 't', value: 'T', help: 'the text, without FILE' },
    config: configOption,
  },
  async run({ from, to = [], subject, text, config }, operands, terminal) {
    refuseOperands('mail send', operands, 1)
    const [file] = operands
    if (from === undefined || to.length === 0) throw new UsageError('mail send needs --from and --to.')
    const { isAddress } = await import('@signalbox/mail-flow/contract')
    if (from !== '' && !isAddress(from))
      throw new UsageError(`--from ${JSON.stringify(from)}: expected an address.`)
    for (const address of to)
      if (!isAddress(address))
        throw new UsageError(
          `--to ${JSON.stringify(address)}: expected one address. Repeat --to for more recipients.`,
        )
    if (file !== undefined && (subject ?? text) !== undefined)
      throw new UsageError('A mail from a file has its own subject and text.')
    const content =
      file === undefined ? { from, to: [...to], subject, text } : { raw: await rawMail(file, terminal) }
    const { url, key } = await runningMail(config, terminal)
    const { offerMail } = await import('./offer-mail.ts')
    const { id, refused } = await offerMail(url, { from, to: [...to] }, content, key)
    for (const { recipient, reply } of refused)
      terminal.printError(printable(recipient === undefined ? reply : `${recipient}: ${reply}`))
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
    throw new Error(
      `${file} cannot be sent: ${sentence(code === 'ENOENT' ? 'there is no such file' : message)}`,
    )
  }
}
