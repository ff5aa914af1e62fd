import { open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { headerBlock, headerName, headers } from '../message/header-lines.ts'
import { ifThere } from './if-there.ts'
import { inBatches } from './in-batches.ts'
import { idOfFile } from './mail-file-name.ts'
import { addressOf, mailboxPath } from './mailbox-path.ts'
import type { DeliveredMail } from './mailboxes.ts'

/**
 * Lists the mails in all mailboxes of a folder, or in the mailbox of one address, newest first.
 * @throws Error when a mailbox cannot be read
 */
export async function listMail(folder: string, address?: string): Promise<readonly DeliveredMail[]> {
  const mails: DeliveredMail[] = []
  const add = async (maildir: string, owner: string | undefined) => {
    for (const [name, target] of [
      ['inbox', maildir],
      ['junk', join(maildir, '.Junk')],
    ] as const)
      for (const state of ['new', 'cur']) {
        const directory = join(target, state)
        const files = (await namesIn(directory)).map(file => join(directory, file))
        for (const mail of await inBatches(files, path => mailAt(path, name, owner)))
          if (mail !== undefined) mails.push(mail)
      }
  }
  if (address !== undefined) await add(mailboxPath(folder, address), address)
  else
    for (const domain of await namesIn(folder))
      for (const local of await namesIn(join(folder, domain)).catch(none))
        await add(join(folder, domain, local), addressOf(domain, local)).catch(none)
  return mails.sort((a, b) => b.deliveredAt - a.deliveredAt || byName(b, a))
}

/** Compares the names of files, which sort in the order of arrival. Mails in several mailboxes can have one name. */
function byName(a: DeliveredMail, b: DeliveredMail): number {
  const [one, other] = [basename(a.path), basename(b.path)]
  return one === other ? (a.path < b.path ? -1 : 1) : one < other ? -1 : 1
}

/** The result for a folder that cannot be read. Other programs might have created folders alongside the mailboxes. */
const none = () => []

/** Reads the details of a listed mail. Returns undefined if it was moved or deleted since it was listed. */
async function mailAt(
  path: string,
  folder: DeliveredMail['folder'],
  owner: string | undefined,
): Promise<DeliveredMail | undefined> {
  const file = await stat(path).catch(() => undefined)
  if (file === undefined || !file.isFile()) return undefined
  const address = owner ?? (await deliveredTo(path)) ?? ''
  const { mtimeMs, size } = file
  return { address, folder, id: idOfFile(basename(path)), path, deliveredAt: Math.floor(mtimeMs), size }
}

/** Returns the names in a folder, or an empty list if the folder does not exist. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return (await ifThere(readdir(folder), [])).sort()
}

/** Returns the recipient in the `Delivered-To` header of a file. */
async function deliveredTo(path: string): Promise<string | undefined> {
  const file = await open(path, 'r').catch(() => undefined)
  if (file === undefined) return undefined
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(2048), 0, 2048, 0)
    for (const header of headers(headerBlock(buffer.subarray(0, bytesRead))))
      if (headerName(header) === 'delivered-to')
        return header
          .toString()
          .replace(/^[^:]*:/, '')
          .trim()
    return undefined
  } finally {
    await file.close()
  }
}
