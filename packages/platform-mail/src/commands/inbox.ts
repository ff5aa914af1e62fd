import type { Paint } from '@signalbox/platform-runtime/command-line'
import {
  beginning,
  columns,
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
import type { Letter, LetterContent } from './letters.ts'
import { mailFiles } from './mail-files.ts'

/** Lists and shows delivered mail. */
export const inbox = defineCommand({
  name: 'inbox',
  summary: 'List delivered mail, or show one',
  usage: '[ADDRESS [ID] | ADDRESS --show N] [--config FILE] [--json]',
  details: `Reads the mailboxes of the box, whether it is running or not. The newest comes last. ID may be the beginning of one.`,
  examples: [
    ['signalbox inbox', 'what everybody has got'],
    ['signalbox inbox ann@office.example', 'what is in one mailbox'],
    ['signalbox inbox ann@office.example --show 1', 'shows the first of these'],
  ],
  options: {
    show: { type: 'string', short: 'n', value: 'N', help: 'show a mail by its number in the list' },
    config: configOption,
    json: { type: 'boolean', help: 'print one JSON object for each' },
  },
  async run({ show, config, json = false }, operands, terminal) {
    refuseOperands('inbox', operands, 2)
    const [address, id] = operands
    if (show !== undefined && !/^[1-9]\d{0,8}$/.test(show)) throw new UsageError('--show needs a number.')
    if (show !== undefined && (address === undefined || id !== undefined))
      throw new UsageError('--show needs an address, and no id.')
    const { isAddress } = await import('@signalbox/mail-flow/contract')
    if (address !== undefined && !isAddress(address))
      throw new UsageError(`${JSON.stringify(address)} is no address, such as ann@office.example.`)
    const { maildirs } = await import('../delivery/maildirs.ts')
    const { contentOf, lettersOf } = await import('./letters.ts')
    const boxes = maildirs((await mailFiles(config, terminal)).mailboxes)
    const letters = await lettersOf(boxes, address)
    if (show === undefined && id === undefined) {
      for (const each of json ? letters : []) terminal.print(printableJson(each))
      if (!json) terminal.print(listing(letters, address))
      return 0
    }
    const letter = chosen(letters, address!, { show, id })
    const content = await contentOf(await boxes.read(letter))
    terminal.print(json ? printableJson({ ...letter, ...content }) : page(letter, content, terminal.paint))
    return 0
  },
})

/** Characters that a list shows: every row is as wide as the widest. */
const [senderLimit, subjectLimit] = [60, 120]

function listing(letters: readonly Letter[], address: string | undefined): string {
  if (letters.length === 0)
    return `There is no mail${address === undefined ? '' : ` for ${printable(address)}`}.`
  const head = ['', 'delivered', address === undefined ? 'to' : 'id', 'folder', 'from', 'size', 'subject']
  const rows = letters.map(letter => [
    address === undefined ? '' : String(letter.number),
    dateAndTime(letter.deliveredAt),
    printable(address === undefined ? letter.address : letter.id),
    letter.folder,
    beginning(printable(letter.sender), senderLimit) || '-',
    size(letter.size),
    beginning(printable(letter.subject), subjectLimit),
  ])
  return columns([head, ...rows].map(row => (address === undefined ? row.slice(1) : row)))
}

function chosen(
  letters: readonly Letter[],
  address: string,
  { show, id }: { readonly show: string | undefined; readonly id: string | undefined },
): Letter {
  const found = letters.filter(letter =>
    id === undefined ? letter.number === Number(show) : letter.id.startsWith(id),
  )
  if (found.length === 1) return found[0]!
  const which = id === undefined ? `mail ${show}` : `mail whose id begins with ${JSON.stringify(id)}`
  throw new Error(
    printable(
      found.length === 0
        ? `There is no ${which} for ${address}.`
        : `There is more than one ${which} for ${address}.`,
    ),
  )
}

function page({ subject, folder, deliveredAt, id }: Letter, content: LetterContent, paint: Paint): string {
  const { from, to, date, text, attachments } = content
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
