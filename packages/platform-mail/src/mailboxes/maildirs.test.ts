import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, it } from '@jest/globals'
import { temporaryFolder } from '@signalbox/platform-runtime/testing/temporary-folder'
import fc from 'fast-check'
import { mailListener } from '../testing/mail-listener.ts'
import { mailboxesSuite } from '../testing/mailboxes-suite.ts'
import { fileNameOf } from './mail-file-name.ts'
import type { MailToDeliver } from './mailboxes.ts'
import { maildirs } from './maildirs.ts'

const mail: MailToDeliver = {
  id: '8c3ff1be-5d33-4dd8-9b8f-6f1d6ab2a111',
  from: 'ann@far.example',
  receivedAt: 1_700_000_000_042,
  sequence: 7,
  raw: Buffer.from('Subject: Hi\r\n\r\nHello\r\n'),
}
const name = `1700000000.M042000Q0000000007_${mail.id}.signalbox`
const bob = 'bob@office.example'

mailboxesSuite('Maildirs', async () => {
  const folder = temporaryFolder()
  return {
    mailboxes: maildirs(folder.path),
    openAgain: async () => maildirs(folder.path),
    end: async () => folder[Symbol.dispose](),
  }
})

it('mails that were delivered in the same millisecond are listed in the order of arrival, newest first', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(folder.path)
  const ids = ['b', 'd', 'a', 'c']
  const arrivals = new Map(
    ids.map((id, at) => [id, { receivedAt: mail.receivedAt + (at >> 1), sequence: at }]),
  )
  // Deliveries do not always end in the order of arrival.
  for (const id of ids.toSorted())
    await mailboxes.deliver({ ...mail, ...arrivals.get(id), id }, bob, 'inbox', false)
  for (const { path } of await mailboxes.list(bob)) utimesSync(path, 1_700_000_000.5, 1_700_000_000.5)
  expect((await mailboxes.list(bob)).map(({ id }) => id)).toEqual(ids.toReversed())
  expect((await mailboxes.list()).map(({ id }) => id)).toEqual(ids.toReversed())
})

it('a mailbox without mails needs no folder', async () => {
  using folder = temporaryFolder()
  expect(await maildirs(join(folder.path, 'nowhere')).list()).toEqual([])
})

it('a delivered mail is a file in the folder "new" that begins with Return-Path and Delivered-To', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(folder.path)
  await mailboxes.deliver(mail, bob, 'inbox', false)
  const mailbox = join(folder.path, 'office.example', 'bob')
  expect(readdirSync(mailbox).sort()).toEqual(['cur', 'new', 'tmp'])
  expect([readdirSync(join(mailbox, 'tmp')), readdirSync(join(mailbox, 'cur'))]).toEqual([[], []])
  const [delivered, ...more] = await mailboxes.list()
  expect(more).toEqual([])
  const path = join(mailbox, 'new', name)
  const { size, mtimeMs } = statSync(path)
  expect(delivered).toEqual({
    address: bob,
    folder: 'inbox',
    id: mail.id,
    path,
    size,
    deliveredAt: Math.floor(mtimeMs),
  })
  expect(String(await mailboxes.read(delivered!))).toBe(
    'Return-Path: <ann@far.example>\r\nDelivered-To: bob@office.example\r\nSubject: Hi\r\n\r\nHello\r\n',
  )
  // Mail readers such as mutt show a carriage return as ^M.
  expect(readFileSync(path, 'utf8')).toBe(
    'Return-Path: <ann@far.example>\nDelivered-To: bob@office.example\nSubject: Hi\n\nHello\n',
  )
})

it('spam is stored in .Junk, where mail readers expect it', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(folder.path)
  await mailboxes.deliver(mail, bob, 'junk', false)
  expect(readdirSync(join(folder.path, 'office.example/bob/.Junk/new'))).toEqual([name])
  expect(await mailboxes.list(bob)).toMatchObject([{ folder: 'junk', address: bob }])
})

it('mailbox files are readable only by their owner', async () => {
  using folder = temporaryFolder()
  await maildirs(join(folder.path, 'mailboxes')).deliver(mail, bob, 'inbox', false)
  const mailbox = join(folder.path, 'mailboxes/office.example/bob')
  for (const path of [join(folder.path, 'mailboxes'), dirname(mailbox), mailbox, join(mailbox, 'new')])
    expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(statSync(join(mailbox, 'new', name)).mode & 0o777).toBe(0o600)
})

it.each(['new', 'cur', 'cur read', 'junk', 'half written'])(
  'a repeated delivery leaves one copy in the mailbox if the earlier copy is "%s"',
  async where => {
    using folder = temporaryFolder()
    const mailboxes = maildirs(folder.path)
    const mailbox = join(folder.path, 'office.example/bob')
    await mailboxes.deliver(mail, bob, where === 'junk' ? 'junk' : 'inbox', false)
    const file = join(mailbox, 'new', name)
    if (where === 'cur') renameSync(file, join(mailbox, 'cur', name))
    if (where === 'cur read') renameSync(file, join(mailbox, 'cur', `${name}:2,FRS`))
    // A crash can leave a half-written file in `tmp`.
    if (where === 'half written') renameSync(file, join(mailbox, 'tmp', name))
    if (where === 'half written') writeFileSync(join(mailbox, 'tmp', name), 'x'.repeat(1000))
    const before = await mailboxes.list()
    await mailboxes.deliver(mail, bob, 'inbox', true)
    const after = await mailboxes.list()
    if (where !== 'half written') expect(after).toEqual(before)
    expect(after).toHaveLength(1)
    expect(String(await mailboxes.read(after[0]!))).toMatch(/^Return-Path: .*Hello\r\n$/s)
    expect(readdirSync(join(mailbox, 'tmp'))).toEqual([])
  },
)

it('the first delivery of a mail does not search the mailbox for a copy', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(folder.path)
  const mailbox = join(folder.path, 'office.example/bob')
  await mailboxes.deliver(mail, bob, 'inbox', false)
  renameSync(join(mailbox, 'new', name), join(mailbox, 'cur', `${name}:2,S`))
  await mailboxes.deliver(mail, bob, 'inbox', false)
  // The second delivery was not marked as repeated, so it did not search `cur` for the file.
  expect(await mailboxes.list(bob)).toHaveLength(2)
  await mailboxes.deliver(mail, bob, 'inbox', true)
  expect(await mailboxes.list(bob)).toHaveLength(2)
})

it('file names of mails sort by time of arrival', () => {
  const times = fc.array(fc.integer({ min: 0, max: 3000 }), { minLength: 2, maxLength: 20 })
  fc.assert(
    fc.property(times, fc.infiniteStream(fc.uuid()), (offsets, ids) => {
      const names = offsets
        .sort((a, b) => a - b)
        .map((offset, at) =>
          fileNameOf({ id: ids.next().value, receivedAt: 1_700_000_000_000 + offset, sequence: at + 9 }),
        )
      expect(names.toSorted()).toEqual(names)
      expect(new Set(names).size).toBe(names.length)
    }),
  )
})

it('no address leads to a file outside of the mailbox folder', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(join(folder.path, 'mailboxes'))
  for (const address of ['../../x@..', '/etc/passwd@/', '..@office.example', 'a\0b@office.example', '@'])
    await mailboxes.deliver(mail, address, 'inbox', false)
  expect(readdirSync(folder.path)).toEqual(['mailboxes'])
  expect(await mailboxes.list()).toHaveLength(5)
})

it('mails are listed newest first, including those that other programs wrote', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(folder.path)
  await mailboxes.deliver(mail, bob, 'inbox', false)
  const cur = join(folder.path, 'office.example/bob/cur')
  writeFileSync(join(cur, '99.other.host:2,S'), 'Subject: from elsewhere')
  mkdirSync(join(cur, 'folder'))
  writeFileSync(join(folder.path, 'a file'), '')
  const listed = await mailboxes.list()
  expect(listed.map(({ id }) => id).sort()).toEqual([mail.id, '99.other.host'].sort())
  expect(listed[0]!.deliveredAt).toBeGreaterThanOrEqual(listed[1]!.deliveredAt)
})

it('a mail can be read even after a mail reader has moved its file', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(folder.path)
  await mailboxes.deliver(mail, bob, 'inbox', false)
  const [listed] = await mailboxes.list()
  const cur = join(dirname(dirname(listed!.path)), 'cur', `${basename(listed!.path)}:2,S`)
  renameSync(listed!.path, cur)
  expect(String(await mailboxes.read(listed!))).toContain('Hello')
  expect(String(await mailboxes.readHead(listed!))).toContain('Subject: Hi')
  renameSync(cur, join(folder.path, 'gone'))
  await expect(mailboxes.read(listed!)).rejects.toThrow('ENOENT')
})

it('the head of a mail is read without the body, but at most its first megabyte', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(folder.path)
  const body = 'x'.repeat(3_000_000)
  const sizes: number[] = []
  for (const [id, head] of [
    'Subject: Hi\r\n',
    'X: y\r\n'.repeat(10_000),
    'X: y\r\n'.repeat(300_000),
  ].entries()) {
    await mailboxes.deliver(
      { ...mail, id: String(id), raw: Buffer.from(`${head}\r\n${body}`) },
      bob,
      'inbox',
      false,
    )
    const listed = (await mailboxes.list()).find(each => each.id === String(id))!
    const beginning = await mailboxes.readHead(listed)
    expect(readFileSync(listed.path).subarray(0, beginning.length).equals(beginning)).toBe(true)
    sizes.push(beginning.length)
  }
  expect(sizes).toEqual([16 * 1024, 1024 * 1024, 1024 * 1024])
})

it('listing the mails fails if the mailbox cannot be read', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(folder.path)
  await mailboxes.deliver(mail, bob, 'inbox', false)
  const mailbox = join(folder.path, 'office.example', 'bob')
  renameSync(join(mailbox, 'new'), join(mailbox, 'aside'))
  // Not even root can follow a symbolic link that points to itself.
  symlinkSync('new', join(mailbox, 'new'))
  await expect(mailboxes.list(bob)).rejects.toThrow('ELOOP')
  expect(await mailboxes.list()).toEqual([])
})

it('a repeated delivery fails when the mailbox cannot be searched', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(folder.path)
  await mailboxes.deliver(mail, bob, 'inbox', false)
  const mailbox = join(folder.path, 'office.example', 'bob')
  renameSync(join(mailbox, 'new', name), join(mailbox, 'cur', `${name}:2,S`))
  renameSync(join(mailbox, 'cur'), join(mailbox, 'aside'))
  symlinkSync('cur', join(mailbox, 'cur'))
  await expect(mailboxes.deliver(mail, bob, 'inbox', true)).rejects.toThrow('ELOOP')
  expect(readdirSync(join(mailbox, 'new'))).toEqual([])
})

it('a failed delivery can be repeated', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(folder.path)
  writeFileSync(join(folder.path, 'office.example'), 'in the way')
  await expect(mailboxes.deliver(mail, bob, 'inbox', false)).rejects.toThrow('ENOTDIR')
  renameSync(join(folder.path, 'office.example'), join(folder.path, 'aside'))
  await mailboxes.deliver(mail, bob, 'inbox', true)
  expect(existsSync(join(folder.path, 'office.example/bob/new', name))).toBe(true)
})

it('a mail file has the bytes that arrived over SMTP, with line feeds as line ends', async () => {
  using folder = temporaryFolder()
  const mailboxes = maildirs(folder.path)
  let number = 0
  await using setup = await mailListener({
    settings: { trusted: [] },
    async accept({ from, recipients, raw }) {
      const id = `mail-${number}`
      await mailboxes.deliver(
        { id, from, receivedAt: 0, sequence: number, raw },
        recipients[0]!,
        'inbox',
        false,
      )
    },
  })
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async bytes => {
      number++
      const body = Buffer.from(`${Buffer.from(bytes).toString('latin1')}\r\n`, 'latin1')
      await using client = await setup.ready()
      client.send('Subject: Hi\r\n\r\n')
      client.send(Buffer.from(`${body.toString('latin1').replace(/(^|\r\n)\./g, '$1..')}.\r\n`, 'latin1'))
      expect(await client.next()).toMatchObject({ code: 250 })
      const stored = readFileSync(
        join(
          folder.path,
          `office.example/bob/new/0.M000000Q${String(number).padStart(10, '0')}_mail-${number}.signalbox`,
        ),
      )
      const top = /^Return-Path: .*\nDelivered-To: .*\nReceived: .*\n\t.*\n\t.*\nSubject: Hi\n\n/.exec(
        stored.toString('latin1'),
      )
      const inFile = body.toString('latin1').replaceAll('\r\n', '\n')
      expect(stored.toString('latin1', top![0].length)).toBe(inFile)
    }),
    { numRuns: 100 },
  )
})
