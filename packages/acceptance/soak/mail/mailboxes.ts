import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A mail in a mailbox, as a mail reader finds it. */
export interface Found {
  /** The address in the header `Delivered-To`. */
  readonly address: string
  readonly folder: 'inbox' | 'junk'
  /** The subject of the mail or, in a report, of the reported mail. */
  readonly subject: string
  /** The failed recipients in a report. Undefined for other mails. */
  readonly failed: readonly string[] | undefined
}

/** Reads all mails in the Maildirs below a folder directly, without the platform. */
export function readMailboxes(folder: string): readonly Found[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap(domain =>
    readdirSync(join(folder, domain)).flatMap(local => {
      const mailbox = join(folder, domain, local)
      return [...read(mailbox, 'inbox'), ...read(join(mailbox, '.Junk'), 'junk')]
    }),
  )
}

function read(maildir: string, folder: Found['folder']): readonly Found[] {
  return ['new', 'cur']
    .map(each => join(maildir, each))
    .filter(each => existsSync(each))
    .flatMap(each => readdirSync(each).map(name => join(each, name)))
    .map(path => readMail(readFileSync(path, 'latin1'), folder, path))
}

/** Reads a delivered mail. The address of the mail is `mailbox` if its text has no `Delivered-To` header. */
export function readMail(text: string, folder: Found['folder'], mailbox: string): Found {
  const isReport = /^Content-Type: multipart\/report;/m.test(text)
  return {
    address: /^Delivered-To: (.*)$/m.exec(text)?.[1] ?? mailbox,
    folder,
    subject: [...text.matchAll(/^Subject: (.*)$/gm)].at(-1)?.[1] ?? '',
    failed: isReport
      ? [...text.matchAll(/^Final-Recipient: rfc822; (.*)$/gm)].map(([, address]) => address!)
      : undefined,
  }
}
