import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { headerBlock, headerName, headers } from '../message/header-lines.ts'
import { idOfFile } from './mail-file-name.ts'
import { addressOf, mailboxPath } from './mailbox-path.ts'
import type { DeliveredMail } from './maildirs.ts'

/** Every mail below a folder of mailboxes, or in the mailbox of one address; the newest first. */
export async function listMail(folder: string, address?: string): Promise<readonly DeliveredMail[]> {
  const found: DeliveredMail[] = []
  const add = async (box: string, owner: string | undefined) => {
    for (const [name, target] of [
      ['inbox', box],
      ['junk', join(box, '.Junk')],
    ] as const)
      for (const state of ['new', 'cur'])
        for (const file of await namesIn(join(target, state))) {
          const path = join(target, state, file)
          // It may have been moved or deleted in the meantime.
          const about = await stat(path).catch(() => undefined)
          if (about === undefined || !about.isFile()) continue
          const to = owner ?? (await deliveredTo(path)) ?? ''
          const { mtimeMs, size } = about
          found.push({
            address: to,
            folder: name,
            id: idOfFile(file),
            path,
            deliveredAt: Math.floor(mtimeMs),
            size,
          })
        }
  }
  if (address !== undefined) await add(mailboxPath(folder, address), address)
  else
    for (const domain of await namesIn(folder))
      for (const local of await namesIn(join(folder, domain)))
        await add(join(folder, domain, local), addressOf(domain, local))
  return found.sort((a, b) => b.deliveredAt - a.deliveredAt || (a.path < b.path ? -1 : 1))
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return (await readdir(folder).catch(() => [])).sort()
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
