import type { Paint } from '@signalbox/platform-runtime/command-line'
import {
  configOption,
  dateAndTime,
  defineCommand,
  printable,
  printableJson,
  printableLines,
  refuseOperands,
  size,
  UsageError,
} from '@signalbox/platform-runtime/command-line'
import type { ListedMail, MailContent } from './delivered-mails.ts'
import { mailFiles } from './mail-files.ts'
import { refuseNonAddress } from './refuse-non-address.ts'

/** The command `mail show`, which shows one delivered mail. */
export const mailShow = defineCommand({
  name: 'mail show',
  summary: 'Show a delivered mail',
  usage: 'ADDRESS (ID | --number N) [--config FILE] [--json]',
  details:
    'Reads the mailbox of ADDRESS, which may be an alias or a subaddress, whether the platform is running or not. ID may be the beginning of an id. For ids and numbers, run: signalbox mail list ADDRESS',
  examples: [
    ['signalbox mail show ann@office.example 0d8f1f6e', 'shows the mail whose id begins with 0d8f1f6e'],
    ['signalbox mail show ann@office.example --number 1', 'shows the first mail of the list'],
  ],
  options: {
    number: { type: 'string', value: 'N', help: 'show the mail with this number in the list' },
    config: configOption,
    json: { type: 'boolean', help: 'print a JSON object' },
  },
  async run({ number, config, json = false }, operands, terminal) {
    refuseOperands('mail show', operands, 2)
    const [address, id] = operands
    if (address === undefined || (id === undefined) === (number === undefined))
      throw new UsageError('mail show needs an address, and either an id or --number.')
    if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number))
      throw new UsageError('--number needs a number from 1.')
    await refuseNonAddress(address)
    const { mailboxes } = await mailFiles(config, terminal)
    const { contentOf, deliveredMails } = await import('./delivered-mails.ts')
    const mail = chosen(await deliveredMails(mailboxes, address), address, { number, id })
    const content = await contentOf(await mailboxes.read(mail))
    terminal.print(json ? printableJson({ ...mail, ...content }) : page(mail, content, terminal.paint))
    return 0
  },
})

function chosen(
  mails: readonly ListedMail[],
  address: string,
  { number, id }: { readonly number: string | undefined; readonly id: string | undefined },
): ListedMail {
  const [mail, another] = mails.filter(each =>
    id === undefined ? each.number === Number(number) : each.id.startsWith(id),
  )
  if (mail !== undefined && another === undefined) return mail
  const which = id === undefined ? `mail ${number}` : `mail whose id begins with ${JSON.stringify(id)}`
  throw new Error(
    printable(`There is ${mail === undefined ? 'no' : 'more than one'} ${which} for ${address}.`),
  )
}

function page(
  { subject, folder, deliveredAt, id }: ListedMail,
  { from, to, date, text, attachments }: MailContent,
  paint: Paint,
): string {
  const lines = [
    ['From', from],
    ['To', to],
    ['Date', date],
    ['Subject', subject],
    ['Delivered', `${dateAndTime(deliveredAt)} to ${folder === 'inbox' ? 'the inbox' : 'Junk'}, as ${id}`],
    ...attachments.map(each => [
      'Attached',
      `${each.filename ?? 'without a name'}, ${each.mimeType}, ${size(each.size)}`,
    ]),
  ]
  const head = lines
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${paint('bold', `${name}:`)} ${printable(value!)}`)
  return `${head.join('\n')}\n\n${printableLines(text).trimEnd()}`
}
