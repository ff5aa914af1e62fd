import { open, readdir, readFile, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { headerBlock } from '../message/header-lines.ts'
import { storageFull } from '../store/mail-store-error.ts'
import { makeFolder, placeFile } from './durable-files.ts'
import { ifThere } from './if-there.ts'
import { listMail } from './list-mail.ts'
import { topLines, withCrlf, withLineFeeds } from './mail-file.ts'
import { fileNameOf, isFileOf } from './mail-file-name.ts'
import { mailboxPath } from './mailbox-path.ts'
import type { DeliveredMail, Mailboxes, MailToDeliver } from './mailboxes.ts'

const subfolders = { inbox: '.', junk: '.Junk' } as const

/**
 * Keeps mailboxes as Maildirs, which any mail reader can open. Files have line feeds as line ends, as mail readers
 * expect.
 * @param folder contains a folder for each domain, which contains a Maildir for each local part
 * @param hasSpace returns whether the disk has space for a file of the given size in bytes
 */
export function maildirs(folder: string, hasSpace: (bytes: number) => boolean = () => true): Mailboxes {
  const running = new Map<string, Promise<void>>()

  const place = async (mail: MailToDeliver, recipient: string, into: 'inbox' | 'junk', repeated: boolean) => {
    // A mail becomes one file for each recipient.
    if (!hasSpace(mail.raw.length)) throw storageFull()
    const maildir = mailboxPath(folder, recipient)
    const name = fileNameOf(mail)
    if (repeated && (await isIn(maildir, name))) return
    const target = await makeMaildir(maildir, into)
    await placeFile(join(target, 'tmp', name), join(target, 'new', name), fileOf(mail, recipient))
  }

  return {
    deliver(mail, recipient, into, repeated) {
      // Two deliveries of the same mail into one mailbox run one after the other.
      const key = join(mailboxPath(folder, recipient), fileNameOf(mail))
      const earlier = running.get(key) ?? Promise.resolve()
      const delivery = earlier.catch(() => {}).then(() => place(mail, recipient, into, repeated))
      running.set(key, delivery)
      const done = () => {
        if (running.get(key) === delivery) running.delete(key)
      }
      void delivery.then(done, done)
      return delivery
    },

    async restore({ address, folder: into, id, deliveredAt }, content) {
      if (!hasSpace(content.length)) throw storageFull()
      const name = fileNameOf({ id, receivedAt: deliveredAt, sequence: 0 })
      const maildir = mailboxPath(folder, address)
      if (await isIn(maildir, name)) return
      const target = await makeMaildir(maildir, into)
      await placeFile(
        join(target, 'tmp', name),
        join(target, 'new', name),
        withLineFeeds(content),
        deliveredAt,
      )
    },

    list: address => listMail(folder, address),

    read: mail => withFileOf(mail, async path => withCrlf(await readFile(path))),

    readHead: mail => withFileOf(mail, beginningOf),

    async clear() {
      await Promise.allSettled(running.values())
      for (const { path } of await listMail(folder)) await ifThere(unlink(path), undefined)
    },
  }
}

/** Returns the file of a delivered mail in pieces. */
function* fileOf(mail: MailToDeliver, recipient: string): Generator<Buffer> {
  yield topLines(mail, recipient)
  yield* withLineFeeds(mail.raw)
}

/** Makes a Maildir with one of its subfolders, unless they exist. Returns the path of the subfolder. */
async function makeMaildir(maildir: string, into: keyof typeof subfolders): Promise<string> {
  const target = join(maildir, subfolders[into])
  // Mail readers recognize a Maildir by its three folders.
  for (const each of new Set([maildir, target]))
    for (const state of ['tmp', 'new', 'cur']) await makeFolder(join(each, state))
  return target
}

/** Returns whether a mail with this name is in any subfolder of a Maildir. */
async function isIn(maildir: string, name: string): Promise<boolean> {
  for (const each of Object.values(subfolders)) if (await find(join(maildir, each), name)) return true
  return false
}

/** Runs a function on the file of a mail, even if a mail reader moves the file. */
async function withFileOf<T>({ path }: DeliveredMail, work: (path: string) => Promise<T>): Promise<T> {
  try {
    return await work(path)
  } catch (error) {
    const moved = await find(dirname(dirname(path)), basename(path).replace(/:2,.*$/, ''))
    if (moved === undefined) throw error
    return work(moved)
  }
}

/**
 * The number of bytes to read first, which is enough for most heads, and the number of bytes for longer heads.
 */
const [usualHead, longestHead] = [16 * 1024, 1024 * 1024]

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  const first = async (size: number) => {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, 0)
    return buffer.subarray(0, bytesRead)
  }
  try {
    const usual = await first(usualHead)
    const isWhole = usual.length < usualHead || headerBlock(usual).length < usual.length
    return isWhole ? usual : await first(longestHead)
  } finally {
    await file.close()
  }
}

/** Returns the path of a read or unread mail in a Maildir. */
async function find(maildir: string, name: string): Promise<string | undefined> {
  const unread = join(maildir, 'new', name)
  if (await ifThere(stat(unread), undefined)) return unread
  const names = await ifThere(readdir(join(maildir, 'cur')), [])
  const read = names.find(each => isFileOf(each, name))
  return read && join(maildir, 'cur', read)
}
