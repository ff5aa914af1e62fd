import {
  configOption,
  dateAndTime,
  defineCommand,
  type Paint,
  printable,
  printableJson,
  refuseOperands,
  size,
  table,
  truncated,
} from '@signalbox/platform-runtime/command-line'
import type { ListedMail } from './delivered-mails.ts'
import { mailFiles } from './mail-files.ts'
import { refuseNonAddress } from './refuse-non-address.ts'

/** Lists delivered mail. */
export const mailList = defineCommand({
  name: 'mail list',
  summary: 'List delivered mail, in all mailboxes or in one',
  usage: '[ADDRESS] [--config FILE] [--json]',
  details:
    'Reads the mailboxes, whether the platform is running or not. ADDRESS may be an alias or a subaddress. The newest mail comes last.',
  examples: [
    ['signalbox mail list', 'lists the mail in all mailboxes'],
    ['signalbox mail list ann@office.example', 'lists the mail in one mailbox, with numbers and ids'],
  ],
  options: { config: configOption, json: { type: 'boolean', help: 'print one JSON object for each mail' } },
  async run({ config, json = false }, operands, terminal) {
    refuseOperands('mail list', operands, 1)
    const [address] = operands
    await refuseNonAddress(address)
    const { mailboxes } = await mailFiles(config, terminal)
    const { deliveredMails } = await import('./delivered-mails.ts')
    const mails = await deliveredMails(mailboxes, address, (done, all) =>
      terminal.progress?.(`${done} of ${all} mails read …`),
    )
    terminal.progress?.('')
    for (const mail of json ? mails : []) terminal.print(printableJson(mail))
    if (!json) terminal.print(listOf(mails, address, terminal.paint))
    return 0
  },
})

/** The maximum widths of the sender column and the subject column, in characters. */
const [senderLimit, subjectLimit] = [60, 120]

function listOf(mails: readonly ListedMail[], address: string | undefined, paint: Paint): string {
  if (mails.length === 0)
    return `There is no mail${address === undefined ? '' : ` for ${printable(address)}`}.`
  // Numbers and ids are unique only within one mailbox.
  const isOne = address !== undefined
  const head = ['', 'delivered', isOne ? 'id' : 'to', 'folder', 'from', 'size', 'subject']
  const rows = mails.map(mail => [
    String(mail.number),
    dateAndTime(mail.deliveredAt),
    printable(isOne ? mail.id : mail.address),
    mail.folder,
    truncated(printable(mail.sender), senderLimit) || '-',
    size(mail.size),
    truncated(printable(mail.subject), subjectLimit),
  ])
  const shown = (row: readonly string[]) => (isOne ? row : row.slice(1))
  return table(shown(head), rows.map(shown), paint)
}
