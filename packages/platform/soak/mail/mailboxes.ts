import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file in some Maildir, as any reader of mail finds it. */
export interface Found {
  /** As in the line that its delivery put on top. */
  readonly address: string
  readonly folder: 'inbox' | 'junk'
  /** Of the mail; in a report, of the mail that it is about. */
  readonly subject: string
  /** For whom a report says that the mail was not delivered; undefined when it is no report. */
  readonly failed: readonly string[] | undefined
}

/** Everything in the Maildirs below a folder, read without the box. */
export function readMailboxes(folder: string): readonly Found[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap(domain =>
    readdirSync(join(folder, domain)).flatMap(local => {
      const box = join(folder, domain, local)
      return [...read(box, 'inbox'), ...read(join(box, '.Junk'), 'junk')]
    }),
  )
}

function read(maildir: string, folder: Found['folder']): readonly Found[] {
  return ['new', 'cur']
    .map(each => join(maildir, each))
    .filter(each => existsSync(each))
    .flatMap(each => readdirSync(each).map(name => readMail(join(each, name), folder)))
}

function readMail(path: string, folder: Found['folder']): Found {
  const text = readFileSync(path, 'latin1')
  const isReport = /^Content-Type: multipart\/report;/m.test(text)
  return {
    address: /^Delivered-To: (.*)$/m.exec(text)?.[1] ?? path,
    folder,
    subject: [...text.matchAll(/^Subject: (.*)$/gm)].at(-1)?.[1] ?? '',
    failed: isReport
      ? [...text.matchAll(/^Final-Recipient: rfc822; (.*)$/gm)].map(([, address]) => address!)
      : undefined,
  }
}
