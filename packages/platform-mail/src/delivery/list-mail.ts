import { open, readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { headerBlock, headerName, headers } from '../message/header-lines.ts'
import { ifThere } from './if-there.ts'
import { inBatches } from './in-batches.ts'
import { idOfFile } from './mail-file-name.ts'
import { addressOf, mailboxPath } from './mailbox-path.ts'
import type { DeliveredMail } from './maildirs.ts'

/**
 * Every mail below a folder of mailboxes, or in the mailbox of one address; the newest first.
 * @throws Error when that cannot be read, which is not the same as nothing
 */
export async function listMail(folder: string, address?: string): Promise<readonly DeliveredMail[]> {
  const found: DeliveredMail[] = []
  const add = async (box: string, owner: string | undefined) => {
    for (const [name, target] of [
      ['inbox', box],
      ['junk', join(box, '.Junk')],
    ] as const)
      for (const state of ['new', 'cur']) {
        const directory = join(target, state)
        const files = (await namesIn(directory)).map(file => join(directory, file))
        for (const mail of await inBatches(files, path => mailAt(path, name, owner)))
          if (mail !== undefined) found.push(mail)
      }
  }
  if (address !== undefined) await add(mailboxPath(folder, address), address)
  else
    for (const domain of await namesIn(folder))
      for (const local of await namesIn(join(folder, domain)).catch(strangers))
        await add(join(folder, domain, local), addressOf(domain, local)).catch(strangers)
  return found.sort((a, b) => b.deliveredAt - a.deliveredAt || (a.path < b.path ? -1 : 1))
}

/** What somebody else has put beside the mailboxes need not be readable. */
const strangers = () => []

/** It may have been moved or deleted since it was listed. */
async function mailAt(
  path: string,
  folder: DeliveredMail['folder'],
  owner: string | undefined,
): Promise<DeliveredMail | undefined> {
  const about = await stat(path).catch(() => undefined)
  if (about === undefined || !about.isFile()) return undefined
  const address = owner ?? (await deliveredTo(path)) ?? ''
  const { mtimeMs, size } = about
  return { address, folder, id: idOfFile(basename(path)), path, deliveredAt: Math.floor(mtimeMs), size }
}

/** None in a folder that is not there. */
async function namesIn(folder: string): Promise<readonly string[]> {
  return (await ifThere(readdir(folder), [])).sort()
}

/** The recipient, as written on top of the mail. */
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
