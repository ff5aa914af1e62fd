import { folderName } from './mailbox-path.ts'
import type { MailToDeliver } from './mailboxes.ts'

/**
 * Returns the name of a mail's file in each mailbox, before a mail reader adds flags. The names sort in the order of
 * arrival, because mail readers compare seconds and microseconds first, and then the rest as text.
 */
export function fileNameOf({ id, receivedAt, sequence }: Omit<MailToDeliver, 'from' | 'raw'>): string {
  const seconds = Math.floor(receivedAt / 1000)
  const microseconds = String(Math.floor(receivedAt - seconds * 1000) * 1000).padStart(6, '0')
  return `${seconds}.M${microseconds}Q${String(sequence).padStart(10, '0')}_${folderName(id)}.${host}`
}

/** Returns whether a file has this name, with or without flags. */
export function isFileOf(file: string, name: string): boolean {
  return file === name || file.startsWith(`${name}:`)
}

/** Returns the id of the mail in a file, or the whole name of a file that another program has written. */
export function idOfFile(file: string): string {
  const name = file.replace(/:.*$/, '')
  const [, id] = /^\d+\.M\d+Q\d+_(.+)\.signalbox$/.exec(name) ?? []
  if (id === undefined) return name
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** File names in Maildirs end with the name of the host that wrote them. */
const host = 'signalbox'
