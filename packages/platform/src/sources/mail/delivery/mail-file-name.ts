import { folderName } from './mailbox-path.ts'

/** The name of a mail's file in each mailbox that it is delivered to, as long as no reader has set a flag. */
export function fileNameOf({ id, receivedAt }: { readonly id: string; readonly receivedAt: number }): string {
  return `${Math.floor(receivedAt / 1000)}.${folderName(id)}.${host}`
}

/** Whether a file is the mail of that name, with or without flags. */
export function isFileOf(file: string, name: string): boolean {
  return file === name || file.startsWith(`${name}:`)
}

/** The id of the mail in a file; the whole name for one that something else has put there. */
export function idOfFile(file: string): string {
  const name = file.replace(/:.*$/, '')
  const [, id] = /^\d+\.(.+)\.signalbox$/.exec(name) ?? []
  if (id === undefined) return name
  try {
    return decodeURIComponent(id)
  } catch {
    return id
  }
}

/** Maildir names end with who has made them. */
const host = 'signalbox'
