import {
  type DeliveredMail,
  type Mailboxes,
  mailboxAddress,
  mailboxPath,
  topLines,
  withCrlf,
} from '@signalbox/platform-mail/store'
import type { Database } from '../database.ts'

/** The number of bytes that are read for the headers of a mail. */
const headLimit = 1024 * 1024

interface Row {
  readonly mailbox: string
  readonly mail: string
  readonly folder: DeliveredMail['folder']
  readonly address: string
  readonly delivered_at: number
  readonly size: number
}

/**
 * Opens the mailboxes in PostgreSQL, which several platforms share. Each mail is stored once for each mailbox, in its
 * wire format. `path` consists of the mailbox and the mail id.
 */
export function mailboxes({ query }: Database): Mailboxes {
  const keyOf = (address: string) => mailboxPath('', address)
  const content = async ({ path }: DeliveredMail, bytes: string): Promise<Buffer> => {
    const end = path.lastIndexOf('/')
    const [row] = await query<{ content: Buffer }>(
      `select ${bytes} as content from mailbox_mails where mailbox = $1 and mail = $2`,
      [path.slice(0, end), decodeURIComponent(path.slice(end + 1))],
    )
    if (row === undefined) throw new Error(`The mail ${path} is not in its mailbox any more.`)
    return row.content
  }
  return {
    async deliver(mail, recipient, folder) {
      const bytes = Buffer.concat([withCrlf(topLines(mail, recipient)), withCrlf(mail.raw)])
      await query(
        `insert into mailbox_mails (mailbox, mail, folder, address, delivered_at, content)
         select $1, $2, $3, $4, t, $5 from time_of(null) t on conflict (mailbox, mail) do nothing`,
        [keyOf(recipient), mail.id, folder, recipient.replaceAll('\0', ''), bytes],
      )
    },
    async restore({ address, folder, id, deliveredAt }, content) {
      await query(
        `insert into mailbox_mails (mailbox, mail, folder, address, delivered_at, content)
         values ($1, $2, $3, $4, $5, $6) on conflict (mailbox, mail) do nothing`,
        [keyOf(address), id, folder, address.replaceAll('\0', ''), deliveredAt, content],
      )
    },
    async list(address) {
      const rows = await query<Row>(
        `select mailbox, mail, folder, address, delivered_at, octet_length(content) as size from mailbox_mails
         where $1::text is null or mailbox = $1 order by delivered_at desc, sequence desc`,
        [address === undefined ? null : keyOf(address)],
      )
      return rows.map(row => ({
        address: address ?? mailboxAddress(row.mailbox) ?? row.address,
        folder: row.folder,
        id: row.mail,
        path: `${row.mailbox}/${encodeURIComponent(row.mail)}`,
        deliveredAt: row.delivered_at,
        size: row.size,
      }))
    },
    read: mail => content(mail, 'content'),
    readHead: mail => content(mail, `substring(content from 1 for ${headLimit})`),
  }
}
