import { folderName } from './mailbox-path.ts'

/** What the name of a mail's file is made of. */
export interface NamedMail {
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
  /** Counts up with each mail. */
  readonly sequence: number
}

/**
 * The name of a mail's file in each mailbox that it is delivered to, as long as no reader has set a flag. Names are in
 * the order in which mails arrived: readers compare the seconds and microseconds first, then the rest as text.
 */
export function fileNameOf({ id, receivedAt, sequence }: NamedMail): string {
  const seconds = Math.floor(receivedAt / 1000)
  const microseconds = String(Math.floor(receivedAt - seconds * 1000) * 1000).padStart(6, '0')
  return `${seconds}.M${microseconds}Q${String(sequence).padStart(10, '0')}_${folderName(id)}.${host}`
}

/** Whether a file is the mail of that name, with or without flags. */
export function isFileOf(file: string, name: string): boolean {
  return file === name || file.startsWith(`${name}:`)
}

/** The id of the mail in a file; the whole name for one that something else has put there. */
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

/** Maildir names end with who has made them. */
const host = 'signalbox'
