import { open, readdir, readFile, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { headerBlock } from '../message/header-lines.ts'
import { makeFolder, placeFile } from './durable-files.ts'
import { ifThere } from './if-there.ts'
import { listMail } from './list-mail.ts'
import { fileNameOf, isFileOf, type NamedMail } from './mail-file-name.ts'
import { mailboxPath } from './mailbox-path.ts'

/** A mail that has been accepted. */
export interface StoredMail extends NamedMail {
  /** Empty for the null sender. */
  readonly from: string
  readonly raw: Buffer
}

/** A mail in a mailbox. */
export interface DeliveredMail {
  readonly address: string
  readonly folder: 'inbox' | 'junk'
  readonly id: string
  readonly path: string
  /** Milliseconds since the epoch. */
  readonly deliveredAt: number
  /** Bytes. */
  readonly size: number
}

/** Mailboxes as folders that any mail reader can open. */
export interface Maildirs {
  /**
   * Resolves when the mail is on the disk, with line feeds as line ends, which is what mail readers expect of files.
   * @param repeated whether there may have been an attempt before. Only then the mailbox, which may be large, is searched
   * for the mail, and nothing is done when it is there
   */
  readonly deliver: (
    mail: StoredMail,
    recipient: string,
    folder: 'inbox' | 'junk',
    repeated: boolean,
  ) => Promise<void>
  /** What is in all mailboxes, or in that of one address; the newest first. */
  readonly list: (address?: string) => Promise<readonly DeliveredMail[]>
  /**
   * The mail with the lines of its delivery on top, wherever in its mailbox it has moved to since it was listed. Lines end
   * as on the wire.
   */
  readonly read: (mail: DeliveredMail) => Promise<Buffer>
  /** The same as it stands in the file, but not much more of it than its head. */
  readonly readHead: (mail: DeliveredMail) => Promise<Buffer>
}

const subfolders = { inbox: '.', junk: '.Junk' } as const

/** @param folder gets a folder for each domain, with a Maildir for each local part */
export function maildirs(folder: string): Maildirs {
  const underWay = new Map<string, Promise<void>>()

  const place = async (mail: StoredMail, recipient: string, into: 'inbox' | 'junk', repeated: boolean) => {
    const box = mailboxPath(folder, recipient)
    const name = fileNameOf(mail)
    if (repeated) for (const each of Object.values(subfolders)) if (await find(join(box, each), name)) return
    const target = join(box, subfolders[into])
    // Mail readers take a folder for a mailbox only with all of its own.
    for (const each of new Set([box, target]))
      for (const state of ['tmp', 'new', 'cur']) await makeFolder(join(each, state))
    const top = Buffer.from(`Return-Path: <${line(mail.from)}>\nDelivered-To: ${line(recipient)}\n`)
    await placeFile(join(target, 'tmp', name), join(target, 'new', name), [top, withLineFeeds(mail.raw)])
  }

  return {
    deliver(mail, recipient, into, repeated) {
      const key = join(mailboxPath(folder, recipient), fileNameOf(mail))
      const before = underWay.get(key) ?? Promise.resolve()
      const delivery = before.catch(() => {}).then(() => place(mail, recipient, into, repeated))
      underWay.set(key, delivery)
      const done = () => {
        if (underWay.get(key) === delivery) underWay.delete(key)
      }
      void delivery.then(done, done)
      return delivery
    },

    list: address => listMail(folder, address),

    read: mail => whereItIs(mail, async path => asOnTheWire(await readFile(path))),

    readHead: mail => whereItIs(mail, beginningOf),
  }
}

/** Does something with the file of a mail, wherever a reader has moved it to. */
async function whereItIs<T>({ path }: DeliveredMail, work: (path: string) => Promise<T>): Promise<T> {
  try {
    return await work(path)
  } catch (error) {
    const [box, name] = [dirname(dirname(path)), path.slice(dirname(path).length + 1)]
    const moved = await find(box, name.replace(/:2,.*$/, ''))
    if (moved === undefined) throw error
    return work(moved)
  }
}

/** Bytes that are read first, which most heads are within, and those beyond which no head is looked at. */
const [usualHead, longestHead] = [16 * 1024, 1024 * 1024]

async function beginningOf(path: string): Promise<Buffer> {
  const file = await open(path, 'r')
  const first = async (size: number) => {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(size), 0, size, 0)
    return buffer.subarray(0, bytesRead)
  }
  try {
    const usual = await first(usualHead)
    const isAll = usual.length < usualHead || headerBlock(usual).length < usual.length
    return isAll ? usual : await first(longestHead)
  } finally {
    await file.close()
  }
}

/** Where a mail is in a folder, read or not. */
async function find(target: string, name: string): Promise<string | undefined> {
  const unread = join(target, 'new', name)
  if (await ifThere(stat(unread), undefined)) return unread
  const names = await ifThere(readdir(join(target, 'cur')), [])
  const found = names.find(each => isFileOf(each, name))
  return found && join(target, 'cur', found)
}

function withLineFeeds(raw: Buffer): Buffer {
  return Buffer.from(raw.toString('latin1').replaceAll('\r\n', '\n'), 'latin1')
}

function asOnTheWire(raw: Buffer): Buffer {
  return Buffer.from(raw.toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1')
}

/** A text that cannot end a line. */
function line(text: string): string {
  return text.replace(/\p{Cc}/gu, '')
}
