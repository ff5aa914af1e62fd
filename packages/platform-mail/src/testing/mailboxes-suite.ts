import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import PostalMime from 'postal-mime'
import type { Mailboxes, MailToDeliver } from '../mailboxes/mailboxes.ts'

/** Mailboxes under test. */
export interface OpenedMailboxes {
  readonly mailboxes: Mailboxes
  /** Opens the same mailboxes a second time, as another process does. */
  readonly openAgain: () => Promise<Mailboxes>
  /** Deletes the mailboxes. */
  readonly end: () => Promise<void>
}

const mail: MailToDeliver = {
  id: '8c3ff1be-5d33-4dd8-9b8f-6f1d6ab2a111',
  from: 'ann@far.example',
  receivedAt: 1_700_000_000_042,
  sequence: 7,
  raw: Buffer.from('Subject: Hi\r\n\r\nHello\r\n'),
}
const bob = 'bob@office.example'

/**
 * The shared tests of mailboxes, which every storage engine must pass.
 * @param engine the name of the engine
 * @param open opens mailboxes without mails
 */
export function mailboxesSuite(engine: string, open: () => Promise<OpenedMailboxes>): void {
  describe(`mailboxes in ${engine}`, () => {
    let opened: OpenedMailboxes
    let mailboxes: Mailboxes
    beforeEach(async () => {
      opened = await open()
      mailboxes = opened.mailboxes
    })
    afterEach(() => opened.end())

    it('are empty at first', async () => {
      expect(await mailboxes.list()).toEqual([])
      expect(await mailboxes.list(bob)).toEqual([])
    })

    it.each(['inbox', 'junk'] as const)(
      'list a mail in the folder "%s" if it was delivered to that folder',
      async folder => {
        await mailboxes.deliver(mail, bob, folder, false)
        expect(await mailboxes.list(bob)).toEqual([
          {
            address: bob,
            folder,
            id: mail.id,
            path: expect.any(String),
            deliveredAt: expect.any(Number),
            size: expect.any(Number),
          },
        ])
      },
    )

    it('import a mail from other mailboxes with its folder and its time, and do not import it twice', async () => {
      const restored = { address: bob, folder: 'junk', id: 'one', deliveredAt: 1_700_000_000_041 } as const
      const content = Buffer.from('Delivered-To: bob@office.example\r\nSubject: Hi\r\n\r\nHello\r\n')
      await mailboxes.restore(restored, content)
      await mailboxes.restore(restored, content)
      const [found, ...others] = await mailboxes.list(bob)
      expect(others).toEqual([])
      expect(found).toMatchObject(restored)
      expect(await mailboxes.read(found!)).toEqual(content)
    })

    it('list mails that arrived in one millisecond in the order of arrival, newest first', async () => {
      const ids = Array.from({ length: 12 }, (_, at) => `${(at * 7) % 12}-${at}`)
      for (const [sequence, id] of ids.entries()) {
        await mailboxes.deliver({ ...mail, id, sequence }, bob, 'inbox', false)
      }
      expect((await mailboxes.list(bob)).map(({ id }) => id)).toEqual(ids.toReversed())
      expect((await mailboxes.list()).map(({ id }) => id)).toEqual(ids.toReversed())
    })

    it('keep the recipient of a mail to an alias or a subaddress in X-Original-To', async () => {
      const expected = `Delivered-To: ${bob}\r\nX-Original-To: bob+news@office.example\r\nSubject: Hi\r\n`
      await mailboxes.deliver({ ...mail, to: 'bob+news@office.example' }, bob, 'inbox', false)
      const [delivered] = await mailboxes.list(bob)
      expect(String(await mailboxes.read(delivered!))).toContain(expected)
    })

    it('return a mail as it was sent, preceded by Return-Path and Delivered-To', async () => {
      await mailboxes.deliver(mail, bob, 'inbox', false)
      const [delivered] = await mailboxes.list(bob)
      const expected = `Return-Path: <ann@far.example>\r\nDelivered-To: ${bob}\r\nSubject: Hi\r\n\r\nHello\r\n`
      expect(String(await mailboxes.read(delivered!))).toBe(expected)
      expect(String(await mailboxes.readHead(delivered!)).replaceAll(/\r?\n/g, '\r\n')).toContain(
        `Delivered-To: ${bob}\r\nSubject: Hi\r\n`,
      )
    })

    it('show the null sender as an empty Return-Path', async () => {
      await mailboxes.deliver({ ...mail, from: '' }, bob, 'inbox', false)
      const [delivered] = await mailboxes.list(bob)
      expect(String(await mailboxes.read(delivered!))).toMatch(/^Return-Path: <>\r\n/)
    })

    it('still contain a mail after they are reopened', async () => {
      await mailboxes.deliver(mail, bob, 'inbox', false)
      const later = await opened.openAgain()
      const [delivered, ...more] = await later.list(bob)
      expect(more).toEqual([])
      expect(await later.read(delivered!)).toEqual(await mailboxes.read(delivered!))
    })

    it('contain one copy of a mail whose delivery is repeated', async () => {
      await mailboxes.deliver(mail, bob, 'inbox', false)
      const before = await mailboxes.list()
      await mailboxes.deliver(mail, bob, 'inbox', true)
      await (await opened.openAgain()).deliver(mail, bob, 'inbox', true)
      expect(await mailboxes.list()).toEqual(before)
    })

    it('contain one copy of a mail that is delivered several times at once', async () => {
      await Promise.all(Array.from({ length: 20 }, () => mailboxes.deliver(mail, bob, 'inbox', false)))
      expect(await mailboxes.list()).toHaveLength(1)
    })

    it('contain several mails for one address', async () => {
      const ids = ['a', 'b', 'c']
      for (const [sequence, id] of ids.entries())
        await mailboxes.deliver({ ...mail, id, sequence }, bob, 'inbox', false)
      expect((await mailboxes.list(bob)).map(({ id }) => id).sort()).toEqual(ids)
    })

    it('receive a copy for each recipient, and ignore the case of addresses', async () => {
      const longName = `${'ö'.repeat(90)}@far.example`
      const to = [bob, 'Bob@office.example', 'bob@OFFICE.example', 'ann@office.example', longName]
      await Promise.all(to.map(address => mailboxes.deliver(mail, address, 'inbox', false)))
      expect((await mailboxes.list()).map(({ address }) => address).sort()).toEqual(
        ['ann@office.example', bob, longName].sort(),
      )
      expect(await mailboxes.list('bob@Office.Example')).toHaveLength(1)
      expect(await mailboxes.list(longName)).toHaveLength(1)
      expect(await mailboxes.list('nobody@office.example')).toEqual([])
    })

    it('remove line breaks from addresses in headers', async () => {
      await mailboxes.deliver({ ...mail, from: 'a@b>\r\nBcc: eve' }, 'b@c\nX: y', 'inbox', false)
      const [delivered] = await mailboxes.list()
      const { headers } = await PostalMime.parse(await mailboxes.read(delivered!))
      expect(headers.map(({ key }) => key)).toEqual(['return-path', 'delivered-to', 'subject'])
    })
  })
}
